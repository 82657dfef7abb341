import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { addressList } from '#contract/address-list.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

const mistake = 'A whole number from 0 to 1000'
const reveals = z.number(mistake).int(mistake).min(0, mistake).max(1000, mistake)

/** What the network asks of those who sign in. */
export const securitySetting = defineSetting(
  'security',
  { access: 'setting.security', about: 'who needs a second factor, and where staff may work from', key: 'never' },
  {
    /** Roles that get nowhere until they have set up a second factor. */
    second_factor: z.array(z.enum(ROLES)).max(ROLES.length),
    /** Where staff of a role may sign in and work from, unless an account has a list of its own; none = anywhere. */
    allowed_ips: z.object({ admin: addressList, head: addressList, manager: addressList, 'team lead': addressList }),
    /** Of how many leads somebody of a role may look at contacts within 24 hours; 0 = of none. */
    reveals: z.object({ admin: reveals, head: reveals, manager: reveals, 'team lead': reveals }),
  },
  {
    second_factor: [],
    allowed_ips: { admin: [], head: [], manager: [], 'team lead': [] },
    reveals: { admin: 50, head: 50, manager: 0, 'team lead': 20 },
  },
)

export const securityApi = { setting: securitySetting.read, updateSetting: securitySetting.update }
