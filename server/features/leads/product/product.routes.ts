import { productApi } from '#contract/leads/product.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { presentProduct, presentTest } from './product.present.ts'
import { getProduct, listProductOptions, listProducts, listTests } from './product.queries.ts'
import { createProduct, listChoices, setProductStatus, showProduct, updateProduct } from './product.service.ts'
import { testProduct, testPull } from './try-product.service.ts'

/** Advertisers' accounts in the systems that take leads. */
export function routes(app: HttpApp, { db, config, policy }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey, policy, clock }

  implement(app, productApi, {
    list: async ({ body, actor }) => {
      const { rows, list } = await listProducts(db, actor.scope, body)
      return { list: list.map(presentProduct), summary: { rows } }
    },
    integrations: async ({ body }) => ({ list: await listChoices(db, body.search) }),
    options: async ({ body, actor }) => ({ list: await listProductOptions(db, actor.scope, body.search) }),
    get: ({ params, actor }) => showProduct(db, config.secretKey, actor.scope, params.uuid),
    create: ({ body, actor }) => createProduct(parts, clock.now(), actor, body),
    update: ({ params, body, actor }) => updateProduct(parts, clock.now(), actor, params.uuid, body),
    setStatus: async ({ body, actor }) => ({ changed: await setProductStatus(db, clock.now(), actor, body) }),
    test: ({ params, body, actor }) => testProduct(parts, clock.now(), actor, params.uuid, body),
    testPull: ({ params, body, actor }) => testPull(parts, clock.now(), actor, params.uuid, body),
    tests: async ({ params, body, actor }) => {
      const row = await getProduct(db, actor.scope, params.uuid)
      if (row === undefined) throw new AppError('not_found')
      const { rows, list } = await listTests(db, row.id, body)
      return { list: list.map(presentTest), summary: { rows } }
    },
  })
}
