import { Transformer } from '@napi-rs/image'

/** What the demo's tickets bring: a letter as PDF, a log, a picture of a chart. */
export type DemoFile = 'letter' | 'log' | 'chart'

/** A file as somebody would upload it. */
export async function fileOf(kind: DemoFile, place: number): Promise<{ name: string; bytes: Buffer }> {
  if (kind === 'letter') return { name: `letter-${2000 + place}.pdf`, bytes: letter(2000 + place) }
  if (kind === 'log') return { name: `clicks-${place}.csv`, bytes: Buffer.from(log(place)) }
  return { name: `screenshot-${place}.png`, bytes: await chart(place) }
}

function letter(number: number): Buffer {
  return pdfOf(`Letter No. ${number}`, 'The details are as agreed. This is a page of the demo network.')
}

/** One page with two lines of Latin letters. Parts stand at the offsets the table at its end names. */
export function pdfOf(title: string, line: string): Buffer {
  const text = `BT /F1 20 Tf 72 760 Td (${title}) Tj 0 -36 Td /F1 12 Tf (${line}) Tj ET`
  const parts = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  let table = `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n`
  for (const [place, part] of parts.entries()) {
    table += `${String(file.length).padStart(10, '0')} 00000 n \n`
    file += `${place + 1} 0 obj\n${part}\nendobj\n`
  }
  return Buffer.from(`${file}${table}trailer << /Size ${parts.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`)
}

function log(place: number): string {
  const line = (_none: unknown, row: number) =>
    `${row + 1},sub-${(place * 7919 + row * 104_729).toString(36)},${row % 3 === 0 ? 'approved' : 'pending'}`
  return `row,sub1,status\n${Array.from({ length: 24 }, line).join('\n')}\n`
}

/** Bars of a report, as on somebody's screenshot. */
function chart(place: number): Promise<Buffer> {
  const bars = Array.from({ length: 14 }, (_none, day) => {
    const height = 40 + ((day * 37 + place * 13) % 110)
    return `<rect x="${28 + day * 31}" y="${220 - height}" width="20" height="${height}" rx="3" fill="hsl(${day === 9 ? 6 : 212}, 60%, 52%)"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="250" viewBox="0 0 480 250">
    <rect width="480" height="250" fill="#fff"/><rect x="20" y="220" width="440" height="2" fill="#ccc"/>${bars.join('')}</svg>`
  const picture = Transformer.fromSvg(svg)
  picture.fastResize({ width: 480, height: 250 })
  return picture.png()
}
