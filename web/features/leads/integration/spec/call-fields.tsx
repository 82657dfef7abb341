import { useTranslation } from '#web/i18n/use-translation.ts'
import { BODY_KINDS, NODE_TYPES, type IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { IntegerField } from './integer-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { Rows } from './rows.tsx'
import type { CallPath, SpecValues } from './spec-values.ts'
import classes from './spec.module.css'

type Props = { of: SaveForm<SpecValues>; path: CallPath; call: IntegrationSpec['request'] }

/** What a body goes out as, where nothing else is said. */
const CONTENT_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
  raw: 'text/plain',
} as const
const METHODS = ['GET', 'POST', 'PUT', 'PATCH'] as const

/** How a call of an advertiser's server is written: address, names in the query, headers, body. */
export function CallFields({ of, path, call }: Props) {
  const { t } = useTranslation('integration')
  const isForm = call.body === 'form' || call.body === 'multipart'
  return (
    <>
      <SelectField of={of} name={`${path}.method`} label={t('call.method')} options={METHODS.map((value) => ({ value, label: value }))} />
      <TextField of={of} name={`${path}.url`} label={t('call.url')} placeholder="{{product.host}}/api/leads" required />
      <SelectField
        of={of}
        name={`${path}.body`}
        label={t('call.body')}
        options={BODY_KINDS.map((value) => ({ value, label: t(`body.${value}`) }))}
      />
      <IntegerField of={of} name={`${path}.timeout_ms`} label={t('call.timeout')} help={t('call.timeoutHelp')} />
      {call.body !== 'none' && (
        <TextField of={of} name={`${path}.content_type`} label={t('call.contentType')} placeholder={CONTENT_TYPES[call.body]} />
      )}
      {call.body === 'raw' && <LongTextField of={of} name={`${path}.raw`} label={t('call.raw')} wide />}
      {call.body !== 'none' && call.body !== 'raw' && (
        <Rows
          of={of}
          path={`${path}.nodes`}
          label={t('call.nodes')}
          count={call.nodes.length}
          blank={{ path: '', type: 'string', value: '', required: false, omit_if_empty: true }}
          most={200}
          add={t('call.addNode')}
          columns={4}
        >
          {(index) => (
            <>
              <TextField
                of={of}
                name={`${path}.nodes.${index}.path`}
                label={t(isForm ? 'node.name' : 'node.path')}
                placeholder={isForm ? 'phone' : 'data.phone'}
                required
              />
              <SelectField
                of={of}
                name={`${path}.nodes.${index}.type`}
                label={t('node.type')}
                options={NODE_TYPES.map((value) => ({ value, label: t(`node.${value}`) }))}
              />
              <TextField of={of} name={`${path}.nodes.${index}.value`} label={t('node.value')} placeholder="{{lead.phone | e164}}" />
              <div className={classes.switches}>
                <SwitchField of={of} name={`${path}.nodes.${index}.required`} label={t('node.required')} />
                <SwitchField of={of} name={`${path}.nodes.${index}.omit_if_empty`} label={t('node.omit')} />
              </div>
            </>
          )}
        </Rows>
      )}
      <Pairs of={of} path={path} list="query" pairs={call.query} />
      <Pairs of={of} path={path} list="headers" pairs={call.headers} />
    </>
  )
}

type PairsProps = { of: SaveForm<SpecValues>; path: CallPath; list: 'query' | 'headers'; pairs: readonly unknown[] }

function Pairs({ of, path, list, pairs }: PairsProps) {
  const { t } = useTranslation('integration')
  return (
    <div className={classes.rows} data-wide>
      <Rows
        of={of}
        path={`${path}.${list}`}
        label={t(`call.${list}`)}
        count={pairs.length}
        blank={{ name: '', value: '', omit_if_empty: false }}
        most={list === 'query' ? 100 : 40}
        add={t(list === 'query' ? 'call.addQuery' : 'call.addHeader')}
        columns={3}
      >
        {(index) => (
          <>
            <TextField of={of} name={`${path}.${list}.${index}.name`} label={t(list === 'query' ? 'query.name' : 'header.name')} required />
            <TextField of={of} name={`${path}.${list}.${index}.value`} label={t('node.value')} />
            <SwitchField of={of} name={`${path}.${list}.${index}.omit_if_empty`} label={t('node.omit')} />
          </>
        )}
      </Rows>
    </div>
  )
}
