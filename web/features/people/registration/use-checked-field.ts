import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { registrationApi } from '#contract/people/registration.ts'
import { query } from '#web/api/query.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { SignupValues } from './signup-values.ts'

const WRONG = {
  email: { taken: 'This e-mail is already in use', malformed: 'This is not an e-mail address' },
  phone: {
    taken: 'Somebody has signed up with this telephone already',
    malformed: 'There is no such telephone number. Check the country code and the digits',
  },
}

/** Looks at an e-mail address or a telephone a moment after it was typed, and says at its field that it is taken or malformed. */
export function useCheckedField(of: SaveForm<SignupValues>, name: 'email' | 'phone', value: string): void {
  const [settled] = useDebouncedValue(value.trim(), 800)
  // what is too short is still being typed
  const enabled = settled.length > 5 && (name === 'phone' || /@.+\../.test(settled))
  const { data } = useQuery({
    ...query(registrationApi.checkUserData, { body: { [name]: settled } }, { quiet: true }),
    enabled,
    staleTime: 60_000,
  })
  const found = enabled && settled === value.trim() ? data?.[name] : undefined
  const { setFieldError } = of.form
  useEffect(() => {
    if (found === 'taken' || found === 'malformed') setFieldError(name, WRONG[name][found])
    // said once for what was typed, not again whenever the form is drawn
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [found, settled, name])
}
