import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { fileApi } from '#contract/network/file.ts'
import { query } from '#web/api/query.ts'
import classes from '#web/kit/show/show.module.css'

type PictureProps = {
  uuid: string
  alt: string
  /** As large as the box around it, instead of small. */
  filling?: true
  /** As it is, no wider than its place. */
  whole?: true
}

/** A kept picture by its uuid, small; the browser keeps it for ever. An empty frame while it loads or where it cannot be had. */
export function Picture({ uuid, alt, filling, whole }: PictureProps) {
  const { data } = useQuery({ ...query(fileApi.get, { params: { uuid } }, { quiet: true }), staleTime: Infinity })
  const show = useCallback((image: HTMLImageElement) => (data === undefined ? undefined : showBytes(image, data)), [data])
  return (
    <span className={classes.picture} data-filling={filling} data-whole={whole}>
      {data !== undefined && <img ref={show} alt={alt} />}
    </span>
  )
}

/** Lets an image show the bytes of a kept picture; an address of bytes in memory has to be given back by what is answered. */
export function showBytes(image: HTMLImageElement, bytes: Uint8Array): () => void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'image/webp' }))
  image.src = address
  return () => URL.revokeObjectURL(address)
}
