import { useParams } from 'react-router'
import { SetPasswordBy } from './set-password-by.tsx'

/** The page behind a one-time link that stands in the path: as it is printed for the first administrator. */
export function SetPassword() {
  const { token = '' } = useParams()
  return <SetPasswordBy token={token} />
}
