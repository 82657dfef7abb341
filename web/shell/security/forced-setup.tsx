import { Button, Group, Text, Title } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { signOut, useSession } from '#web/shell/session.ts'
import { FactorSetup } from './factor-setup.tsx'
import style from './security.module.css'

/** All there is of the panel for who has yet to set up the second factor that the role must have. */
export function ForcedSetup({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('security')
  const { email, acting } = useSession()
  return (
    <main className={style.forced}>
      <section className={style.card}>
        <Title order={1} mb={6}>
          {t('forced.title')}
        </Title>
        <Text c="dimmed" mb="lg">
          {t(acting ? 'forced.acting' : 'forced.text')}
        </Text>
        {!acting && <FactorSetup email={email} onDone={onDone} />}
      </section>
      <Group justify="center" mt="md">
        <Button variant="subtle" color="gray" onClick={() => void signOut()}>
          {t('forced.signOut')}
        </Button>
      </Group>
    </main>
  )
}
