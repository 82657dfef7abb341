import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { addressList } from '#contract/address-list.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

const mistake = 'A whole number from 0 to 1000'
const reveals = z.number(mistake).int(mistake).min(0, mistake).max(1000, mistake)
const mistaken = 'A whole number from 0 to 10000'
const contactExports = z.number(mistaken).int(mistaken).min(0, mistaken).max(10_000, mistaken)

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
    /** Of how many leads somebody of a role may take contacts out in files within 24 hours; 0 = of none. */
    contact_exports: z.object({ admin: contactExports, head: contactExports, manager: contactExports, 'team lead': contactExports }),
  },
  {
    second_factor: [],
    allowed_ips: { admin: [], head: [], manager: [], 'team lead': [] },
    reveals: { admin: 50, head: 50, manager: 0, 'team lead': 20 },
    contact_exports: { admin: 1000, head: 1000, manager: 0, 'team lead': 0 },
  },
)

export const securityApi = { setting: securitySetting.read, updateSetting: securitySetting.update }
