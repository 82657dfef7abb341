import type { ReactNode } from 'react'
import { Title } from '@mantine/core'
import style from './page-message.module.css'

/** One calm message in the middle of the page with what to do next beneath it. */
export function PageMessage({ code, title, text, children }: { code?: string; title: string; text: string; children: ReactNode }) {
  return (
    <div className={style.page}>
      {code !== undefined && <div className={style.code}>{code}</div>}
      <Title order={1}>{title}</Title>
      <p className={style.text}>{text}</p>
      {children}
    </div>
  )
}
