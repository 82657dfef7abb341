import type { Random } from '../random.ts'

/** Who fills in a form; nobody is called so on purpose: names are drawn, addresses are no one's. */
export type DemoPerson = {
  first_name: string
  last_name: string
  gender: 'male' | 'female'
  email: string
  phone: string
  country: string
  language: string
  birth_date: string
  city: string
  zip: string
}

type Land = { women: string; men: string; names: string; language: string; towns: string; phone: string }

/** `#` is a digit; of a group in brackets one sign is drawn. */
const LANDS: Readonly<Record<string, Land>> = {
  IT: {
    women: 'Giulia Chiara Francesca Martina Elena Alessia Paola Silvia',
    men: 'Marco Luca Matteo Andrea Davide Stefano Paolo Simone',
    names: 'Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Conti Gallo',
    language: 'it',
    towns: 'Milano-201## Roma-001## Torino-101## Napoli-801## Bologna-401##',
    phone: '+39[3][34]#[1-9]######',
  },
  ES: {
    women: 'Lucía María Carmen Laura Marta Ana Sara Elena',
    men: 'Javier Carlos Daniel Pablo Alejandro Sergio Manuel Álvaro',
    names: 'García Martínez López Sánchez Pérez Gómez Ruiz Díaz Moreno Muñoz Álvarez Romero',
    language: 'es',
    towns: 'Madrid-280## Barcelona-080## Valencia-460## Sevilla-410## Zaragoza-500##',
    phone: '+346[1-9]#######',
  },
  PL: {
    women: 'Anna Katarzyna Małgorzata Agnieszka Magdalena Joanna Ewa Zofia',
    men: 'Piotr Krzysztof Tomasz Paweł Michał Marcin Jakub Adam',
    names: 'Nowak Wójcik Mazur Kaczmarek Duda Sikora Wrona Pietrzak Zając Król',
    language: 'pl',
    towns: 'Warszawa-00-### Kraków-30-### Wrocław-50-### Poznań-60-### Gdańsk-80-###',
    phone: '+485[01]#######',
  },
  DE: {
    women: 'Anna Lena Julia Sabine Katharina Monika Petra Laura',
    men: 'Thomas Michael Andreas Stefan Jan Markus Lukas Jonas',
    names: 'Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer',
    language: 'de',
    towns: 'Berlin-101## Hamburg-200## München-803## Köln-506## Leipzig-041##',
    phone: '+49151[1-5]#######',
  },
  AT: {
    women: 'Anna Sophie Magdalena Katharina Theresa Barbara',
    men: 'Florian Lukas David Stefan Georg Matthias',
    names: 'Gruber Huber Bauer Wagner Pichler Steiner Moser Mayer Hofer Leitner',
    language: 'de',
    towns: 'Wien-10#0 Graz-80#0 Linz-40#0 Salzburg-50#0',
    phone: '+43664[1-9]######',
  },
  PT: {
    women: 'Maria Ana Inês Catarina Sofia Beatriz Mariana Rita',
    men: 'João Pedro Tiago Miguel Rui Nuno Diogo André',
    names: 'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Sousa Gonçalves',
    language: 'pt',
    towns: 'Lisboa-1000-### Porto-4000-### Braga-4700-### Coimbra-3000-###',
    phone: '+3519[136][1-9]######',
  },
  BR: {
    women: 'Ana Maria Juliana Fernanda Camila Patrícia Larissa Bruna',
    men: 'José Lucas Gabriel Rafael Felipe Bruno Thiago Gustavo',
    names: 'Silva Souza Oliveira Lima Pereira Almeida Nascimento Araújo Ribeiro Carvalho',
    language: 'pt',
    towns: 'São_Paulo-01###-000 Rio-20###-000 Curitiba-80###-000 Recife-50###-000',
    phone: '+5511[9][6-9]#######',
  },
  KE: {
    women: 'Wanjiku Achieng Njeri Mercy Faith Grace',
    men: 'Kamau Otieno Brian Kevin Dennis Samuel',
    names: 'Mwangi Ochieng Kariuki Wambui Kiprop Njoroge Mutua Odhiambo',
    language: 'en',
    towns: 'Nairobi-00100 Mombasa-80100 Kisumu-40100',
    phone: '+2547[0129]#######',
  },
  US: {
    women: 'Emily Jessica Ashley Sarah Megan Olivia Hannah Nicole',
    men: 'Michael Joshua Tyler Andrew Ryan Brandon Jason Eric',
    names: 'Smith Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Clark',
    language: 'en',
    towns: 'Chicago-606## Dallas-752## Atlanta-303## Phoenix-850##',
    phone: '+1312[2-9][2-9]#####',
  },
  GB: {
    women: 'Olivia Amelia Charlotte Emily Sophie Lucy Grace Hannah',
    men: 'Jack Oliver Harry James Thomas George Callum Liam',
    names: 'Smith Jones Taylor Davies Evans Thomas Johnson Roberts Walker Wright',
    language: 'en',
    towns: 'London-E1#_4AB Manchester-M1#_2CD Leeds-LS#_5EF Bristol-BS#_7GH',
    phone: '+447[457]0[1-9]######',
  },
}

/** Draws somebody of a country. */
export function drawPerson(random: Random, country: string): DemoPerson {
  const land = LANDS[country]
  if (land === undefined) throw new Error(`the demo has no people of ${country}`)
  const gender = random.chance(0.5) ? 'female' : 'male'
  const first_name = random.pick((gender === 'female' ? land.women : land.men).split(' '))
  const last_name = random.pick(land.names.split(' '))
  const [city = '', ...zip] = random.pick(land.towns.split(' ')).replaceAll('_', ' ').split('-')
  const plain = `${first_name}.${last_name}`
    .normalize('NFD')
    .replace(/[^a-zA-Z.]/g, '')
    .toLowerCase()
  return {
    first_name,
    last_name,
    gender,
    email: `${plain}${random.whole(1, 9999)}@${random.pick(['mail', 'post', 'inbox'])}.example`,
    phone: filled(random, land.phone),
    country,
    language: land.language,
    birth_date: `${random.whole(1958, 2004)}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))}`,
    city,
    zip: filled(random, zip.join('-')),
  }
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function filled(random: Random, pattern: string): string {
  return pattern.replace(/#|\[[^\]]+\]/g, (part) => {
    if (part === '#') return String(random.whole(0, 9))
    const [from, until] = /^\[(\d)-(\d)\]$/.exec(part)?.slice(1).map(Number) ?? []
    return from !== undefined && until !== undefined ? String(random.whole(from, until)) : random.pick(part.slice(1, -1).split(''))
  })
}
