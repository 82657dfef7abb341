import { Typography } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { fileApi } from '#contract/network/file.ts'
import { query } from '#web/api/query.ts'
import { showBytes } from '#web/kit/show/picture.tsx'
import classes from '#web/kit/show/show.module.css'

/** Text written with the editor, sanitised by the server when it was saved. Its pictures are kept files, which only a call with the session can fetch. */
export function RichText({ html }: { html: string }) {
  const text = useRef<HTMLDivElement>(null)
  const client = useQueryClient()
  useEffect(() => {
    const shown: (() => void)[] = []
    let gone = false
    for (const image of text.current?.querySelectorAll<HTMLImageElement>('img[data-file]') ?? []) {
      const uuid = image.dataset['file'] ?? ''
      const found = client.fetchQuery({ ...query(fileApi.get, { params: { uuid } }, { quiet: true }), staleTime: Infinity })
      // one that cannot be had leaves its description
      found.then((bytes) => !gone && shown.push(showBytes(image, bytes))).catch(() => {})
    }
    return () => {
      gone = true
      for (const giveBack of shown) giveBack()
    }
  }, [html, client])
  return (
    <div ref={text}>
      {/* oxlint-disable-next-line react/no-danger -- only the server's sanitiser writes these texts */}
      <Typography className={classes.rich} dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  )
}
