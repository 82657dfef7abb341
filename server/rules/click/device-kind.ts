import { isListedTablet } from './brand.ts'

/** Device kinds that can be targeted; `bot` and `unknown` occur in statistics only. */
export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv', 'console', 'bot', 'unknown'] as const
export type Device = (typeof DEVICES)[number]

/** What kind of machine a User-Agent tells of; `model` is its name for itself, '' unknown. */
export function readDevice(text: string, model: string): Device {
  if (CONSOLE.test(text) || CONSOLE_MODEL.test(model)) return 'console'
  if (TV.test(text) || /[a-z]TV(?!M\b)|ATV/.test(model)) return 'tv'
  if (/\bWindows Phone\b|\bIEMobile\b|\bZuneWP7\b|\bWPDesktop\b|\bLumia\b/.test(text)) return 'mobile'
  if (/\((?:PC; (?:Open)?Harmony|2in1;OpenHarmony)/.test(text)) return 'desktop'
  if (/Android|\bAdr \d|\bHarmonyOS\b|\bSilk\/|\bFBAN\/FB4A\b/i.test(text)) return ofAndroid(text, model)
  if (/\biPad|\bPocketBook\//.test(text)) return 'tablet'
  if (PHONE.test(text)) return 'mobile'
  // Windows for ARM ran on nothing else when it called itself 8.
  if (/\bPlayBook\b|\bTouchPad\b|\bKindle\b|\bTablet\b(?! PC)|\bWindows NT 6\.[23];.*\bARM;.*\bTouch\b/.test(text)) return 'tablet'
  if (COMPUTER.test(text)) return 'desktop'
  // Apps of Apple's that tell of neither machine nor processor are on phones for the most part.
  if (/\bCFNetwork\//.test(text)) return 'mobile'
  // What speaks as browsers do, of a system nobody knows, is a computer of somebody's own taste.
  return /^(?:Mozilla|Opera)\/|\bAkregator\b/.test(text) ? 'desktop' : 'unknown'
}

/** Phones say `Mobile` and tablets do not, but for those whose names tell; apps say neither, and mostly run on phones. */
function ofAndroid(text: string, model: string): Device {
  if (COMPUTER_MODEL.test(model) || /chromebook/i.test(text)) return 'desktop'
  if (TABLET_NAME.test(model) || TABLET_CODE.test(model) || HUAWEI_TABLET.test(model) || /\bTablet\b|\biPad|\bPocketBook\//i.test(text))
    return 'tablet'
  if (TABLET_SERIES.test(model) || TABLET_LINE.test(model)) return 'tablet'
  if (TV_NAME.test(model) || TV_SIZE.test(model) || TV_BOX.test(model)) return 'tv'
  if (/\/apad\b/.test(text)) return 'tablet' // what Yandex's apps call a large screen
  if (PHONE_CODE.test(model)) return 'mobile'
  if (isListedTablet(model)) return 'tablet'
  return /Mobi|\bFB4A\b|\bPhone\b|^Dalvik|\bMIDP\b|Opera Mini/i.test(text) ? 'mobile' : 'tablet'
}

const any = (flags: string, ...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), flags)

const CONSOLE = /PlayStation|\(PS[345]\b|;ps5;|\bXbox|\bNintendo\b|\bGAMEPAD|\bOUYA\b|\bSteam Deck\b|\bRetroid\b|^Aplix_/i
const CONSOLE_MODEL =
  /^RG(?:[345]\d\d[A-Z]+|505|55[26]|CUBE)$|^Switch(?: (?:OLED|Lite))?$|^Razer Edge|^SHIELD$|^JXD|^GPD\b|^Odin(?:\d| |$)|^AYN |^Abxylute|^POWKIDDY|^MOQI\b|^G Cloud$|^GR0006$|^DEXP Freya/i

const PHONE =
  /\biPhone|\biPod|Mobi|\bBlackBerry|\bBB10\b|\bMIDP|\bJ2ME\b|\bCLDC|\bSymbian|\bSeries ?[346]0\b|\bKAIOS\b|\bMAUI\b|\bNokia|\bSonyEricsson|\bUCWEB\b|\bOpera Mini\b|\bUP\.Browser\b|\bWAP[- ]?Browser|\bDoCoMo\b|\bKDDI-|\bWindows CE\b|\bPalm|\bTizen\b|\bSAMSUNG-|\bLG-[A-Z]*\d|\bWAP ?\d|\bObigo\b|\bTeleca\b|\bNetFront\b|\bAU\.Browser\b|\bjig browser\b|\bXiino\b|\bTIANYU-|\bHUAWEI-[A-Z]\d|\bBREW\b|\bREX\b|\bMOT-|^SIE-|\bwebOS\b|^dv\(iPh/i
const COMPUTER =
  /\bCrOS\b|\bWindows\b|\bWin(?:NT|9x|98|95|32|64|7|8|10|11)\b|_NT-\d|\bMac(?:intosh|Book|mini|Pro)|\biMac|\bMac ?OS\b|\bmacOS\b|\bos=Mac\b|\bMac_PowerPC\b|\bDarwin\/[\d.]+ \((?:x86_64|Power)|^Safari\/?\d.*CFNetwork|\bX11\b|\bLinux\b|BSD|\bSunOS\b|\bOS\/2\b|\bOpenVMS\b|\bHaiku\b|\bBeOS\b|\bAmigaOS|\bms-office\b|\bMicrosoft Office\b/i
const COMPUTER_MODEL =
  /chromebook|pixelbook|thinkpad(?! ?tablet)|ideacentre|(?:elite|pro|life|zen|vivo|note|mate)book|netbook|\bAspire\b|\bTravelMate\b|\bInspiron\b|\bLatitude\b|\bVostro\b|\bSatellite\b|\bEasyNote\b|\bCompaq \d{4}|\bNUC\d|\bRemix (?:Mini|Pro)\b|\b2in1\b|\b(?:AIO|SFF|PC) System\b|WayDroid|\bBilimBook\b|\bAquarius (?:Pro|Cmp?)\b|\bSwift S[FA]?\d|^[GFW][A-Z]\d\d [2-9][A-Z]{2}$|^K\d\dI[JNPDE]$|^20[A-Z\d]{4}[A-Z\d]00[A-Z\d]{2}$|^20[A-Z]{2}[A-Z\d]{6}$|^F0[A-Z]{2}[A-Z\d]{6}$/i
// Phones in browsers that ask for the desktop page, by the numbers of the makers whose phones and tablets differ in them.
const PHONE_CODE = /^(?:SM-[AEFGJMNS]\d|CPH\d{4}|RMX\d{4}|V[12]\d{3}[A-Z]{0,2}$|P[A-Z]{2,3}\d0$|Pixel \d|Redmi|moto\b|Coolpad)/i

/** Sets and boxes by what their browsers say. `tv` ends the name of many, but also DTV and TVM of phones with a tuner, and Letv. */
const TV = any(
  'i',
  /(?<![a-z])tv(?!m\b)|(?<!\b[hs]|hi|bn|mar|\ble|(?<!t)d)tv(?![a-z]|-w\d)|FireTV|AppleTV|InettvBrowser|VSTVB|TiviMate/,
  /\bCrKey\b|\bBRAVIA\b|\bAFT[A-Z\d]{1,9}\b|\bRoku|\bViera\b|\bNetCast\b|\bWeb0S\b|\bVIDAA\b|ViziOS|\bVIZIO\b|AQUOS-DMP|\bTiVo|tclwebkit|Coolita/,
  /\bNETRANGE|\bEspial\b|\bSTB\b|_STB_|stbapp|\bHbbTV\b|CE-HTML|\bOMI\/|BrightSign|\b[GM][WR]-Device\/|\bSky_OTT|YouView|, ?wire(?:d|less)\)|^Opera\/9\.80 \(Linux (?:mips|armv)/,
)
const TV_NAME =
  /(?<!tur|run)box(?!er)|stick|stb|\bshell\b|_shell_|dongle|projector|streamer|-stream$|chromecast|nexus player|movie|dream ?player|(?<!ml)LED[-_\s]?[A-Z]?\d|[48]K(?:\d{3}|\b)|UHD|smart4k|\bott\b|iptv|\bdvb(?!-t)|\bRK3\d{3}|S9\d\dX|^(?:ADT-|EC6\d|MAG\d{3}|QM\d{3}E|SBDV|TPM1\d\d|YNDX-)/i
// Sets are numbered by the inches of their screen: `43U6K`, `LE32CT5515`, `POLARLINE_24PL51TC`.
const TV_SIZE =
  /(?:^|[ _-])(?:[A-Z]{1,3}-?)?(?:19|2[248]|32|39|4[0-35-9]|5[058]|6[05]|7[05]|8[56]|98)[A-Z]{1,6}\d|(?:^|[ _-])(?:19|2[248]|32|39|4[0-35-9]|5[058]|6[05]|7[05]|8[56]|98)[A-Z]{2,6}(?:[-_]|$)|^VESTA\d\d/
// Boxes that a hundred makers sell under the name of their board, and makers of little else.
const TV_BOX = any(
  'i',
  /^(?:A5X|A95X|H96|HK1|K[ID]{1,3}\d? ?PRO|KM\d(?!\d)|M8S|MK\d{3}|MXQ|NEO[- ][UXZ]\d|T95|TX[2-9]|X88|X9[268])(?! Air I)|X96|MXQ|M8S|T95(?!\d)|T96mini|vega s95/,
  /^(?:ABX-|AS_?4K|AS51\d|ATOM-\d|CT-8\d|GTX-|KANT-|NV[57]\d\d|CVTE|eagle (?:classic|elite|gold)|GR\d{5}$|GT1-?mini|H-DMP|(?:IP-\d0|S[678]00) MAX|N5(?:Max_|NOVA)|perfeo_pf|PIPO_X|RED \d0$|S900_?PRO|rkm|TOX\d|TR99|VMP-?0|XDS)/,
  /amigo7|andowl|beelink|divisat|dolamee|draco (?:AW|H)|dreamstar|dune ?hd|evpad|formuler|fundroid|gt-?king|hiremco|iconbit|invin|magicsee|matador|mecool|minix|movix|netta|nexon|nogapc|openbox|orbsmart|ozone ?hd|pendoo|polar_|polarline|rombica|sdott|selenga|skystream|tanix|technosat|transpeed|ugoos|vontar|vorke|yundoo|zidoo/,
)

const TABLET_NAME = any(
  'i',
  /tablet|\biPad\b|(?<!ev)(?:pad|tab)(?![a-z])|\btab[\d_]|slate|iconia|kurio|\bkids\b|readboy|boox|pocketbook|kobo|nook|kindle|lavie|xoom|flyer|dell streak|\bLe Pan\b|teclast|^Yoga/,
  // Seven to ten inches, beside a network that phones do not name.
  /[ _-](?:7|8|9|10)\.\d(?!\d).*3G|\b10\.1\b|(?:7|8|10)(?:"|inch)|(?:^|[ _-])[TP]?(?:7|8|10)[A-Z]{0,2}[_ ]?(?:3G|4G|LTE|WIFI)\b|[ _](?:7|8|10)\d{2,3}[A-Z]?[ _]?(?:3G|4G|LTE)\b/,
  /^numy|^viva[_ ]?[chi]\d|iball[ _]slide|^informer \d|optima[ _]\d|plane[ _]\d|ursus|^Zync|^MITO T\d|^ALFA_?\d|^TECNO (?:P[79]0|7|DP)|^itel W7/,
  /\([A-Z]\d[A-Z]\d\)|^[PTM]\d\d[\w ]*_(?:ROW|RUS|EEA)|^(?:CW-|(?:Vi|Hi)(?:8|9|10)(?!\d))/,
)
// How makers number their tablets, the well-known ones first.
const TABLET_CODE = any(
  '',
  /^(?:SM-[TXP]\d|SM-N80|GT-P\d|GT-N[58]|SCH-I800|N51\d0|KF[A-Z]{2,}|Nexus (?:7|9|10)\b|Pixel C\b|OPD\d|RMP\d|i?PA2\d{3}$|2\d{3,5}RP|NP0\dJ|d-[04]\d[A-Z]|SGP|MZ[56]0\d|LG-V[45]\d\d|TF\d{3}|P0[012][\dA-Z]\b)/,
  /^(?:Lenovo )?(?:TB[-\d]|YT\d?-|PB-6|B[68]0[08]0|S6000|A7600|A[35]500-|A10-)|^[AB][13]-[A78]|^B?N[RT]V\d|^BN[RT]V|^QMV|^QTA|^K\d\d[A-Z]{2}$|^VFD ?1[0-4]\d\d|^[RO]T\d{1,2}\b|^iPlay|^MC_[A-Z]/,
  /^(?:80(?!30|50)\d\d|90(?!01|02|08|22)\d\d|9[1-4]\d\d)[A-Z]?\d?(?:_|$)|^Archos (?:Access |Core )?(?:7|8|9|10|1[13]\d)|^M(?:7|8|9|10)L?[-_ ]?(?:3G|4G|S?QC|WIFI|S_|Go|Pro LTE|20\d\d)/,
  /^PM[TP]\d|^TZ\d|^M-(?:MP|IP|SP)|^RCT\d|^NX[MA]\d|^(?:TF-|TM-|GEOFOX |P)?MID[-_ A-Z]{0,3}\d|^TFX\d|^TGW\d|^CTAB|^TPC[-\d]|^TQ\d{3}|^AN\d{1,2}[A-Z]?G\d|^AX\dN|^TM-[789]\d{3}|^TM-10\d\d|^MFC\d|^RMD|^KOCASO|^Kocaso/,
  /^(?:AC|BC|LC|MT|QS|RC|VM)(?:0?[789]\d{2,3}|[01]\d{3})[A-H]\b|^(?:Nomi_)?C(?:07|08|10)\d{4}|^(?:BQ|TS|CS)-?[178]\d|^BQ(?:ru|S)?-(?:[789]|1[01])\d|(?:^|[ _])[TPCNSW][TSR][1789]\d{3}[MPQRA][GLW]\b/,
  /^(?:CCIT|Contixo|iRULU|KT|EX|BT|SP|CT|DX|JK|LW|MX|Jeka)[ _]?[A-Z]?(?:[789]\d\d|10\d\d)|^(?:NQT|TEL|TYD)-\d/,
)
// Series whose names do not say that they are tablets.
const TABLET_SERIES = any(
  'i',
  // e-readers and machines for children, in trucks and in cells
  /\b(?:darwin|faust|kant|volta|poke|livingstone)\d|\bkidiby\b|inmate media|biowolf|ruggbo|algiz|\bcoyote \d/,
  // makers of nothing else, and of phones that have other names
  /navitel|vankyo|hanson|vonino|crony|irola|irulu|contixo|neutab|kiano|nabi\d|positivo ypy l|kj[_-]?yu|\bxoro|groberwert|surfer \d/,
  /\beagle_\d{3}|^KM(?:07|08|10)\d\d|x[-_]tigi_joy\d|^hope ?[78]|superion|radar deluxe|\bi-note\b|^ccit a\d|^element ?\d|^freeme|\bLark\b|evolution \d/,
  /^allview ?(?:city|\d|AX|speed)|^AX(?:2_|50\d)|^(?:mobo )?mt7-|^ML\d\d-M\d|^(?:cat ?nova|cat stargate)|^quantum_2_(?:7|9|10)\d\d?_|^pluri_|^magnet_g|^momo\d|^neon\d/,
  /finepower [AB]\d|micromax ?p\d|verykool ?TL?\d|^IMO [YZ]\d|^(?:reeder )?P11SE|^one touch T\d|^smooth 8|^smarty mini|kaicloud|^monza-t|^hello 7|^mobility3g|flexpai/,
  /^(?:Pixus[ _](?:arena|deon|joker)|play three)|^elite (?:octa|t10)|^net_[kr]\d|^tesla (?:L|TTL)\d|^maxtron t|^pace ?10|^andromeda s\d{3}|^gravity 9|^impulse 7|^light_at/,
)
// Numbers of theirs; of seven to ten inches for the most part, which many of them name.
const TABLET_LINE = any(
  '',
  /^(?:PC-T|AST2|HWT\d|PLE-70|JMS-|K[oO][bB][eE2]|Honor V6|TMRV5GTB|R8L5T|T0802L|MT-T8|TLA0|HZ00|XR6|I1[01]_|I21[36]|1000\d{5})|^X98 Air/,
  /^AP-\d{3}|^G[iI]nzzu[ _]GT|^NT-3[67]\d\d|^ETL-T|^SK-Mtek|TA[CQD]-\d{5}|^OV-T|^RC\dT|^EX[78][A-Z]|^PI\d{4}|^KT\d00Pro|^U70[BC]|^U51GT|^LP[ _]T\d|^WO ?\d|^TDT45|^ZT\d{3}_/,
  /^M(?:8|9|10)L[ _]P|^M(?:10|9)_(?:R0|W)|^T\d\dMini|^T[1-3]0E|^T\d{2,3}[A-Za-z]{2,3}[ _]?3G|^Nomi C\d{5}|^C(?:07|08|10)\d{3}$|^B[23]\d$|^L[34][57]0i?$|^V7\d\dX|^(?:SUPRA )?M[78]\dT?[AE]?G$/,
  /^[EPX](?:69|85|10)\d{1,2}X$|^A(?:101|80)K?[BC]\d?(?!M)|^ARCHM|^Archos\d|^QuartzT|^[A-Z]{1,2}\d{2}[-_](?:EEA|ROW)$|[Ww]i-?[Ff]i$|^SMART_[GW]\d/,
  /^(?:M7[67]QF|QC77|HTB8|VT7|SPNG|GK1\d\d|GTA\d|GU-\d|PTB\d|PLT|TEO|MQ7|DX7|Y88|IK-7|BT7X|BTXS|E10\dG|GEM70|CM8\d|Dslide|EK-T|C-72|HT070)/,
)
// Huawei ends the number of a tablet without a telephone in W and two digits; the others begin as these do.
const HUAWEI_TABLET =
  /^(?:HUAWEI |HONOR )?(?:[A-Za-z]{3,4}\d?-[ABD]?W\d\d|T1-[78A]|M2-[8A]|(?:AGRK?|AGS\d?|BAH\d?|BG2|BGO|BTV|BZ[A-Z]\d?|CMR|CPN|DBR|DBY\d?|FDR|GEM|GOT|HDL|JDN\d?|KJR|KOB\d?|KRJ\d?|MON|MRR|MRX|SCMR?|SHT|VRD|WGRR?)-|70[123]HW)/
