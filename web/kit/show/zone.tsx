import { createContext, use, type ReactNode } from 'react'

const Zone = createContext('UTC')

/** The time zone everything inside is shown in; the frame sets the person's own, a report the one of the report. */
export function ZoneProvider({ zone, children }: { zone: string; children: ReactNode }) {
  return <Zone value={zone}>{children}</Zone>
}

/** The time zone to show moments in. */
export function useZone(): string {
  return use(Zone)
}
