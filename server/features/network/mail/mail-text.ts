import type { MailEvent } from '#contract/network/mail.ts'

/** A template: one line for the subject, and a text in the light markup of `markup.ts`, both with macros. */
export type MailText = { subject: string; body: string }

/** What every event says until the network puts it in its own words. An event without its texts does not compile. */
export const MAIL_TEXTS: Readonly<Record<MailEvent, { en: MailText; uk: MailText }>> = {
  test: {
    en: {
      subject: 'Test message from {network}',
      body: 'This is a test message.\n\nIf you can read it, mail of **{network}** reaches this address. Nothing else has to be done.\n\nPanel: {panel}',
    },
    uk: {
      subject: 'Тестовий лист від {network}',
      body: 'Це тестовий лист.\n\nЯкщо ви його читаєте, пошта **{network}** доходить на цю адресу. Більше нічого робити не треба.\n\nПанель: {panel}',
    },
  },
  set_password: {
    en: {
      subject: 'Your account at {network}',
      body: 'Hello {name},\n\nan account at **{network}** has been made for you. Choose a password and sign in:\n\n[Set your password]({link})\n\nThe link works once, for seven days. If you did not expect this message, you can ignore it.',
    },
    uk: {
      subject: 'Ваш обліковий запис у {network}',
      body: 'Вітаємо, {name}!\n\nДля вас створено обліковий запис у **{network}**. Оберіть пароль і увійдіть:\n\n[Встановити пароль]({link})\n\nПосилання спрацює один раз і діє сім днів. Якщо ви не чекали на цей лист, просто не зважайте на нього.',
    },
  },
  password_recovery: {
    en: {
      subject: 'Reset your password at {network}',
      body: 'Hello {name},\n\nsomebody asked for a new password for your account at **{network}**. If it was you, choose one here:\n\n[Choose a new password]({link})\n\nThe link works once, for one hour. If it was not you, ignore this message: your password stays as it is.',
    },
    uk: {
      subject: 'Відновлення пароля в {network}',
      body: 'Вітаємо, {name}!\n\nХтось попросив новий пароль до вашого облікового запису в **{network}**. Якщо це були ви, оберіть його тут:\n\n[Обрати новий пароль]({link})\n\nПосилання спрацює один раз і діє одну годину. Якщо це були не ви, не зважайте на лист: ваш пароль не зміниться.',
    },
  },
  password_changed: {
    en: {
      subject: 'Your password at {network} was changed',
      body: 'Hello {name},\n\nthe password of your account at **{network}** was changed.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n- API keys ended with it: {keys}\n\nIf it was you, there is nothing to do. If not, set a new password at once with “Forgot your password?” at {panel} and tell us: {contact}',
    },
    uk: {
      subject: 'Ваш пароль у {network} змінено',
      body: 'Вітаємо, {name}!\n\nПароль вашого облікового запису в **{network}** змінено.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n- Разом із ним скасовано ключів API: {keys}\n\nЯкщо це були ви, робити нічого не треба. Якщо ні, одразу встановіть новий пароль через «Забули пароль?» на {panel} і повідомте нас: {contact}',
    },
  },
  email_change: {
    en: {
      subject: 'Confirm your new address at {network}',
      body: 'Hello {name},\n\nyour account at **{network}** is to have this e-mail address from now on. Confirm it within a day:\n\n{link}\n\nYou sign in with the old address until then. If you did not ask for this, do nothing: nothing changes.',
    },
    uk: {
      subject: 'Підтвердьте нову адресу в {network}',
      body: 'Вітаємо, {name}!\n\nВаш обліковий запис у **{network}** має отримати цю електронну адресу. Підтвердьте її протягом доби:\n\n{link}\n\nДоти ви входите зі старою адресою. Якщо ви про це не просили, нічого не робіть: нічого не зміниться.',
    },
  },
  email_changed: {
    en: {
      subject: 'Your address at {network} was changed',
      body: 'Hello {name},\n\nyour account at **{network}** has another e-mail address from now on; messages come to this one no longer.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n\nIf it was not you, tell us at once: {contact}',
    },
    uk: {
      subject: 'Вашу адресу в {network} змінено',
      body: 'Вітаємо, {name}!\n\nВаш обліковий запис у **{network}** відтепер має іншу електронну адресу; на цю листи більше не надходитимуть.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n\nЯкщо це були не ви, одразу повідомте нас: {contact}',
    },
  },
  invoice_overdue: {
    en: {
      subject: 'Invoice {number} of {network} is overdue',
      body: 'Hello {name},\n\n**{amount}** of our invoice **{number}** was due on {due}, {days} days ago, and has not reached us yet.\n\nPlease pay it with its number as the reference. If you have paid within the last days, thank you: this message has crossed your payment.\n\nQuestions about the invoice: {contact}',
    },
    uk: {
      subject: 'Рахунок {number} від {network} прострочено',
      body: 'Вітаємо, {name}!\n\n**{amount}** за нашим рахунком **{number}** слід було сплатити до {due}; відтоді минуло днів: {days}, а кошти до нас ще не надійшли.\n\nБудь ласка, сплатіть його, вказавши номер рахунка в призначенні платежу. Якщо ви сплатили останніми днями, дякуємо: цей лист розминувся з вашим платежем.\n\nПитання щодо рахунка: {contact}',
    },
  },
  payment_method_code: {
    en: {
      subject: 'Your code for {network}',
      body: 'Hello {name},\n\nsomebody signed in as you at **{network}** is changing where you are paid: {method}.\n\nThe code that confirms it: **{code}**\n\nIt is good for 15 minutes and for this change alone.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n\nIf it was not you, tell nobody the code, change your password at {panel}, and tell us: {contact}',
    },
    uk: {
      subject: 'Ваш код для {network}',
      body: 'Вітаємо, {name}!\n\nХтось увійшов у **{network}** від вашого імені й змінює, куди вам платять: {method}.\n\nКод підтвердження: **{code}**\n\nВін дійсний 15 хвилин і лише для цієї зміни.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n\nЯкщо це були не ви, нікому не кажіть код, змініть пароль на {panel} і повідомте нас: {contact}',
    },
  },
  payment_method_changed: {
    en: {
      subject: 'Your payment methods at {network} were changed',
      body: 'Hello {name},\n\nwhere you are paid at **{network}** was changed: {method}.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n\n{paid} If it was not you, tell us at once: {contact}',
    },
    uk: {
      subject: 'Ваші способи виплат у {network} змінено',
      body: 'Вітаємо, {name}!\n\nУ **{network}** змінено, куди вам платять: {method}.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n\n{paid} Якщо це були не ви, одразу повідомте нас: {contact}',
    },
  },
  second_factor_reset: {
    en: {
      subject: 'Your second factor at {network} was removed',
      body: 'Hello {name},\n\nthe second factor of your account at **{network}** was removed on {time} by our staff, and all your sessions were ended. From now on your password alone signs you in.\n\nSet up a new one under Security in the panel: {panel}\n\nIf you did not ask for this, tell us at once: {contact}',
    },
    uk: {
      subject: 'Ваш другий фактор у {network} прибрано',
      body: 'Вітаємо, {name}!\n\n{time} наші співробітники прибрали другий фактор вашого облікового запису в **{network}** і завершили всі ваші сеанси. Відтепер для входу досить самого пароля.\n\nНалаштуйте новий у розділі «Безпека» на панелі: {panel}\n\nЯкщо ви про це не просили, одразу повідомте нас: {contact}',
    },
  },
  new_device: {
    en: {
      subject: 'New sign-in to your account at {network}',
      body: 'Hello {name},\n\nsomebody signed in to your account at **{network}** by a device that has not been seen there before.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n- Place: {place}\n\nIf it was you, there is nothing to do. If not, your password is known: set a new one at once with “Forgot your password?” at {panel}, which ends all sessions, and tell us: {contact}',
    },
    uk: {
      subject: 'Новий вхід до вашого облікового запису в {network}',
      body: 'Вітаємо, {name}!\n\nДо вашого облікового запису в **{network}** увійшли з пристрою, якого там ще не бачили.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n- Місце: {place}\n\nЯкщо це були ви, робити нічого не треба. Якщо ні, ваш пароль хтось знає: одразу встановіть новий через «Забули пароль?» на {panel}, це завершить усі сеанси, і повідомте нас: {contact}',
    },
  },
  api_key_made: {
    en: {
      subject: 'An API key was made for your account at {network}',
      body: 'Hello {name},\n\nan API key called **{key}** was made for your account at **{network}**. Programs can use it in your name.\n\n- When: {time}\n- Device: {device}\n- Address: {address}\n\nIf it was you, there is nothing to do. If not, revoke the key under Security in the panel ({panel}), change your password, and tell us: {contact}',
    },
    uk: {
      subject: 'Для вашого облікового запису в {network} створено ключ API',
      body: 'Вітаємо, {name}!\n\nДля вашого облікового запису в **{network}** створено ключ API **{key}**. Програми можуть діяти з ним від вашого імені.\n\n- Коли: {time}\n- Пристрій: {device}\n- Адреса: {address}\n\nЯкщо це були ви, робити нічого не треба. Якщо ні, відкличте ключ у розділі «Безпека» на панелі ({panel}), змініть пароль і повідомте нас: {contact}',
    },
  },
  email_confirmation: {
    en: {
      subject: 'Confirm your e-mail for {network}',
      body: 'Hello {name},\n\nthank you for signing up at **{network}**. Please confirm that this address is yours:\n\n[Confirm the address]({link})\n\nThe link works once, for 24 hours. If you did not sign up, ignore this message.',
    },
    uk: {
      subject: 'Підтвердьте електронну пошту для {network}',
      body: 'Вітаємо, {name}!\n\nДякуємо за реєстрацію в **{network}**. Підтвердьте, що ця адреса ваша:\n\n[Підтвердити адресу]({link})\n\nПосилання спрацює один раз і діє 24 години. Якщо ви не реєструвалися, не зважайте на цей лист.',
    },
  },
  registration_received: {
    en: {
      subject: 'We have your application to {network}',
      body: 'Hello {name},\n\nyour address is confirmed and your application to **{network}** is with our managers. We will write as soon as it is decided.\n\nQuestions: {contact}',
    },
    uk: {
      subject: 'Ми отримали вашу заявку до {network}',
      body: 'Вітаємо, {name}!\n\nВашу адресу підтверджено, а заявку до **{network}** вже розглядають наші менеджери. Ми напишемо, щойно її вирішать.\n\nЗапитання: {contact}',
    },
  },
  registration_approved: {
    en: {
      subject: 'Welcome to {network}',
      body: 'Hello {name},\n\nyour application is approved: you can sign in, choose offers and take your links.\n\n[Sign in]({link})\n\nQuestions: {contact}',
    },
    uk: {
      subject: 'Ласкаво просимо до {network}',
      body: 'Вітаємо, {name}!\n\nВашу заявку схвалено: можна увійти, обрати офери та взяти свої посилання.\n\n[Увійти]({link})\n\nЗапитання: {contact}',
    },
  },
  registration_rejected: {
    en: {
      subject: 'Your application to {network}',
      body: 'Hello {name},\n\nwe cannot accept your application to **{network}** at present.\n\n{reason}\n\nIf you think this is a mistake, write to us: {contact}',
    },
    uk: {
      subject: 'Ваша заявка до {network}',
      body: 'Вітаємо, {name}!\n\nНаразі ми не можемо прийняти вашу заявку до **{network}**.\n\n{reason}\n\nЯкщо вважаєте, що це помилка, напишіть нам: {contact}',
    },
  },
  ticket_message: {
    en: {
      subject: 'Ticket #{number}: {subject}',
      body: 'Hello {name},\n\n{author} wrote in ticket #{number}:\n\n{text}\n\n[Read and answer]({link})\n\nAnswers to this message are not read: please answer in the panel.',
    },
    uk: {
      subject: 'Тікет #{number}: {subject}',
      body: 'Вітаємо, {name}!\n\n{author} пише в тікеті #{number}:\n\n{text}\n\n[Прочитати й відповісти]({link})\n\nВідповідей на цей лист ніхто не читає: відповідайте, будь ласка, у панелі.',
    },
  },
  domain_failing: {
    en: {
      subject: 'Domain {domain} needs attention',
      body: 'Hello {name},\n\nthe domain **{domain}** of {network} fails: {problem}.\n\nLinks on it may not work for visitors. Mend it, or burn it so that new links use another one:\n\n[Look at the domain]({link})',
    },
    uk: {
      subject: 'Домен {domain} потребує уваги',
      body: 'Вітаємо, {name}!\n\nДомен **{domain}** мережі {network} не працює як слід: {problem}.\n\nПосилання на ньому можуть не відкриватися. Усуньте причину або спаліть домен, щоб нові посилання отримали інший:\n\n[Переглянути домен]({link})',
    },
  },
  notifications: {
    en: {
      subject: '{network}: what is new for you ({count})',
      body: 'Hello {name},\n\nthis just happened at **{network}**:\n\n{items}\n\n[Open the panel]({panel})\n\nYou choose what is mailed in the panel, under Notifications. [Stop these mails]({unsubscribe})',
    },
    uk: {
      subject: '{network}: новини для вас ({count})',
      body: 'Вітаємо, {name}!\n\nЩойно в **{network}**:\n\n{items}\n\n[Відкрити панель]({panel})\n\nЩо надсилати листом, ви обираєте на панелі в розділі «Сповіщення». [Більше не надсилати]({unsubscribe})',
    },
  },
  notification_digest: {
    en: {
      subject: '{network}: your day in {count} lines',
      body: 'Hello {name},\n\nwhat happened at **{network}** since yesterday:\n\n{items}\n\n[Open the panel]({panel})\n\nYou choose what is mailed, and when, in the panel, under Notifications. [Stop these mails]({unsubscribe})',
    },
    uk: {
      subject: '{network}: підсумок дня ({count})',
      body: 'Вітаємо, {name}!\n\nЩо сталося в **{network}** від учора:\n\n{items}\n\n[Відкрити панель]({panel})\n\nЩо й коли надсилати листом, ви обираєте на панелі в розділі «Сповіщення». [Більше не надсилати]({unsubscribe})',
    },
  },
  scheduled_report: {
    en: {
      subject: '{network}: {report}, {period}',
      body: 'Hello {name},\n\nhere is the report **{report}** for {period} as a CSV file; rows: {rows}. A report that is too large for a mail has no file and is exported in the panel.\n\n[Open the report]({link})\n\nYou were sent it because it was scheduled under Statistics at {network}.',
    },
    uk: {
      subject: '{network}: {report}, {period}',
      body: 'Вітаємо, {name}!\n\nОсь звіт **{report}** за {period}: рядків – {rows}, у файлі CSV. Завеликий для листа звіт надходить без файла, його можна експортувати на панелі.\n\n[Відкрити звіт]({link})\n\nВи отримали його, бо він запланований у статистиці {network}.',
    },
  },
  invitation: {
    en: {
      subject: 'You are invited to {network}',
      body: 'Hello,\n\n**{network}** invites you to join as an affiliate. Sign up with this link:\n\n[Sign up]({link})\n\nThe link is for you only and works once. If you did not expect an invitation, ignore this message.',
    },
    uk: {
      subject: 'Вас запрошують до {network}',
      body: 'Вітаємо!\n\n**{network}** запрошує вас стати партнером. Зареєструйтеся за цим посиланням:\n\n[Зареєструватися]({link})\n\nПосилання лише для вас і спрацює один раз. Якщо ви не чекали на запрошення, не зважайте на цей лист.',
    },
  },
  system_problem: {
    en: {
      subject: '{network}: {problem}',
      body: 'Hello {name},\n\nsomething is wrong with the installation of **{network}**:\n\n{problem}.\n\nThe system page says what to do:\n\n[Open the system page]({link})\n\nYou are told again only after it has been well in between.',
    },
    uk: {
      subject: '{network}: {problem}',
      body: 'Вітаємо, {name}!\n\nЩось негаразд із сервером **{network}**:\n\n{problem}.\n\nЩо робити, сказано на сторінці «Система»:\n\n[Відкрити сторінку «Система»]({link})\n\nНаступне сповіщення про це надійде лише тоді, коли між ними все знову працювало.',
    },
  },
}
