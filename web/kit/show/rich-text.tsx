import { Typography } from '@mantine/core'

/** Text written with the editor, sanitised by the server when it was saved. */
export function RichText({ html }: { html: string }) {
  // oxlint-disable-next-line react/no-danger -- only the server's sanitiser writes these texts
  return <Typography dangerouslySetInnerHTML={{ __html: html }} />
}
