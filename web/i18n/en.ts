import { ERRORS } from '#contract/errors.ts'
import { enStart } from './en-start.ts'
import { screenNames } from './screen-names.ts'
import { byNamespace, type TextFile, type Texts } from './texts.ts'
import cap from './en/cap.json' with { type: 'json' }
import constant from './en/constant.json' with { type: 'json' }
import dimension from './en/dimension.json' with { type: 'json' }
import kit from './en/kit.json' with { type: 'json' }
import layout from './en/layout.json' with { type: 'json' }
import metric from './en/metric.json' with { type: 'json' }
import performance from './en/performance.json' with { type: 'json' }
import screen from './en/screen.json' with { type: 'json' }
import target from './en/target.json' with { type: 'json' }
import verdict from './en/verdict.json' with { type: 'json' }

const error = { ...Object.fromEntries(Object.values(ERRORS).map(({ code, text }) => [code, text])), ...enStart.error }

const shared = { ...enStart, error, cap, constant, dimension, kit, layout, metric, performance, target, verdict }
const features = byNamespace(
  import.meta.glob<TextFile>(['../features/**/*.en.json', '!**/*.late.*.json'], { eager: true, import: 'default' }),
)
const texts = { ...shared, ...features } as typeof shared & Texts // each feature declares the type of its own file

/** All English texts by namespace: those that features share, and whatever file a feature has but its late one. */
export const en = { ...texts, screen: screenNames(screen, { ...shared, ...features }) }
