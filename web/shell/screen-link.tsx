import type { AnchorHTMLAttributes } from 'react'
import { Link } from 'react-router'
import type { ScreenId } from '#contract/screens.ts'
import { screenHref, type ScreenParams } from './access.ts'

type Props = { to: ScreenId; params?: ScreenParams; search?: string } & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** A link to a screen of the table; works as `component={ScreenLink}` of a Mantine component too. */
export function ScreenLink({ to, params, search = '', ...rest }: Props) {
  return <Link to={screenHref(to, params) + search} {...rest} />
}
