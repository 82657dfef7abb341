import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { fileApi } from '#contract/network/file.ts'
import { query } from '#web/api/query.ts'
import classes from '#web/kit/show/show.module.css'

/** A kept picture by its uuid, small; the browser keeps it for ever. An empty frame while it loads or where it cannot be had. */
export function Picture({ uuid, alt }: { uuid: string; alt: string }) {
  const { data } = useQuery({ ...query(fileApi.get, { params: { uuid } }, { quiet: true }), staleTime: Infinity })
  const show = useCallback(
    (image: HTMLImageElement) => {
      if (data === undefined) return
      // an address of bytes in memory has to be given back
      const address = URL.createObjectURL(new Blob([new Uint8Array(data)], { type: 'image/webp' }))
      image.src = address
      return () => URL.revokeObjectURL(address)
    },
    [data],
  )
  return <span className={classes.picture}>{data !== undefined && <img ref={show} alt={alt} />}</span>
}
