/** What we use of pdfmake. Its own types bring those of browsers into the server. */
declare module 'pdfmake' {
  type Margin = [number, number, number, number]
  type Look = {
    width?: number | 'auto' | '*' | `${number}%`
    alignment?: 'left' | 'right' | 'center'
    bold?: boolean
    color?: string
    fontSize?: number
    lineHeight?: number
    margin?: Margin
    noWrap?: boolean
    unbreakable?: boolean
  }
  export type TableCell = Look & { text: string }
  export type Content =
    | Content[]
    | (Look & { text: string | (string | TableCell)[] })
    | (Look & { stack: Content[] })
    | (Look & { columns: Content[]; columnGap?: number })
    | (Look & { image: string; fit?: [number, number] })
    | (Look & { canvas: { type: 'line'; x1: number; y1: number; x2: number; y2: number; lineWidth: number; lineColor: string }[] })
    | (Look & {
        layout?: CustomTableLayout
        table: { headerRows?: number; dontBreakRows?: boolean; widths?: ('*' | 'auto' | number)[]; body: TableCell[][] }
      })
  type Node = { table: { body: unknown[]; widths?: unknown[] } }
  export type CustomTableLayout = {
    hLineWidth?: (row: number, node: Node) => number
    vLineWidth?: () => number
    hLineColor?: (row: number) => string
    paddingLeft?: (column: number) => number
    paddingRight?: (column: number, node: Node) => number
    paddingTop?: () => number
    paddingBottom?: () => number
  }
  const pdfmake: {
    setFonts(fonts: Record<string, { normal: string; bold: string }>): void
    setUrlAccessPolicy(allows: (url: string) => boolean): void
    setLocalAccessPolicy(allows: (path: string) => boolean): void
    createPdf(document: {
      pageSize: 'A4'
      pageMargins: Margin
      defaultStyle: Look & { font: string }
      info: { title: string; author: string; creationDate: Date; modDate: Date }
      content: Content
      footer: (page: number, pages: number) => Content
    }): { getBuffer(): Promise<Uint8Array> }
  }
  export default pdfmake
}
