import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** What the network asks of those who sign in. */
export const securitySetting = defineSetting(
  'security',
  { access: 'setting.security', about: 'who needs a second factor' },
  {
    /** Roles that get nowhere until they have set up a second factor. */
    second_factor: z.array(z.enum(ROLES)).max(ROLES.length),
  },
  { second_factor: [] },
)

export const securityApi = { setting: securitySetting.read, updateSetting: securitySetting.update }
