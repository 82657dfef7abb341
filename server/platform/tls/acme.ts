import type * as Acme from 'acme-client'

/** An account at a certificate authority: its key as PEM, and its address there once it has one. */
export type AcmeAccount = { key: string; url: string }

/** What a name is proven by, at `http://<host>/.well-known/acme-challenge/<token>`. */
export type Challenges = { put(token: string, answer: string): Promise<void>; drop(token: string): Promise<void> }

export type Issued = { chain: string; key: string }

const SILENT_MS = 20_000

/** Loaded where a certificate is asked for: each process that starts would spend a fifth of a second and 40 MB on it. */
const load = () => import('acme-client')

/** Makes an account at a certificate authority, whose terms are agreed to. */
export async function createAcmeAccount(directory: string, email: string | null): Promise<AcmeAccount> {
  const acme = await load()
  const key = (await acme.crypto.createPrivateEcdsaKey('P-256')).toString()
  const client = clientOf(acme, directory, { key, url: '' })
  await client.createAccount({ termsOfServiceAgreed: true, ...(email === null ? {} : { contact: [`mailto:${email}`] }) })
  return { key, url: client.getAccountUrl() }
}

/** Gets a certificate for one name by HTTP-01, with a key of its own (P-256: a handshake costs a tenth of RSA’s). Throws what the authority says. */
export async function orderCertificate(directory: string, account: AcmeAccount, host: string, challenges: Challenges): Promise<Issued> {
  const acme = await load()
  const client = clientOf(acme, directory, account)
  const privateKey = await acme.crypto.createPrivateEcdsaKey('P-256')
  const [key, csr] = await acme.crypto.createCsr({ altNames: [host] }, privateKey)
  const chain = await client.auto({
    csr,
    challengePriority: ['http-01'],
    // ours may not see itself by its own name from inside
    skipChallengeVerification: true,
    challengeCreateFn: async (_authz, challenge, answer) => {
      if (challenge.type !== 'http-01') throw new Error(`the authority asks for ${challenge.type}, which only a wildcard needs`)
      await challenges.put(challenge.token, answer)
    },
    challengeRemoveFn: async (_authz, challenge) => challenges.drop(challenge.token),
  })
  return { chain, key: key.toString() }
}

function clientOf(acme: typeof Acme, directoryUrl: string, { key, url }: AcmeAccount): Acme.Client {
  acme.axios.defaults.timeout = SILENT_MS
  return new acme.Client({
    directoryUrl,
    accountKey: key,
    ...(url === '' ? {} : { accountUrl: url }),
    backoffAttempts: 20,
    backoffMin: 500,
    backoffMax: 5_000,
  })
}
