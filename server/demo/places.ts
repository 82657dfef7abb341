import { connectionOf, readNetworkLabel, type Connection } from '#server/platform/geo/network.ts'
import type { Random } from './random.ts'

/** Where a visitor of the demo is: a block of addresses in one city and one network. */
export type DemoLine = {
  number: number
  region: string
  city: string
  network: { asn: number; label: string; connection: Connection }
  /** An address of the block, as people read it. */
  drawAddress(next: Random['next']): string
}

/** Lines of a country, by the weight they have in no particular order; those of an unknown one where the demo knows none. */
export function linesOf(geo: string): readonly DemoLine[] {
  return LINES.get(geo) ?? NO_LINES
}

/**
 * Blocks of access providers, their city and network as the product's own data tell of them (DB-IP and RouteViews, CC BY 4.0;
 * a test holds them to it): `block | region | city | network`. An address of theirs is drawn at random and is nobody's.
 */
export const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  US: [
    '100.128.0.0/18 | Illinois | Chicago | T-Mobile USA, Inc. (AS21928)',
    '96.143.0.0/18 | Illinois | Northlake | Comcast Cable Communications, LLC (AS7922)',
    '184.128.0.0/18 | Georgia | Atlanta | AT&T Enterprises, LLC (AS7018)',
    '32.176.0.0/18 | Texas | Dallas | AT&T Enterprises, LLC (AS7018)',
    '96.192.0.0/18 | Virginia | Ashburn | Comcast Cable Communications, LLC (AS7922)',
  ],
  CA: [
    '99.221.128.0/18 | Ontario | Toronto | Rogers Communications Canada Inc. (AS812)',
    '142.83.0.0/18 | Quebec | Quebec | Bell Canada (AS11489)',
    '161.19.0.0/18 | Ontario | Ottawa | TELUS Communications Inc. (AS852)',
    '155.10.0.0/18 | Alberta | Calgary | TELUS Communications Inc. (AS852)',
    '142.187.0.0/18 | Quebec | Montreal | Bell Canada (AS577)',
  ],
  GB: [
    '31.114.0.0/18 | England | Martlesham | British Telecommunications PLC (AS2856)',
    '147.149.0.0/18 | England | York | British Telecommunications PLC (AS2856)',
    '92.12.0.0/18 | England | Salford | TalkTalk Communications Limited (AS13285)',
    '62.136.64.0/18 | England | London | Vodafone Limited (AS5378)',
    '92.11.0.0/18 | England | London | TalkTalk Communications Limited (AS13285)',
  ],
  IE: [
    '159.134.0.0/18 | Leinster | Dublin | Eircom Limited (AS5466)',
    '86.43.224.0/19 | Munster | Limerick | Eircom Limited (AS5466)',
    '109.125.48.0/20 | Leinster | Walkinstown | Eircom Limited (AS15751)',
    '109.125.0.0/22 | Leinster | Athlone | Eircom Limited (AS15751)',
  ],
  DE: [
    '31.225.0.0/18 | North Rhine-Westphalia | Bonn | Deutsche Telekom AG (AS3320)',
    '91.27.0.0/18 | Hesse | Frankfurt am Main | Deutsche Telekom AG (AS3320)',
    '217.189.192.0/18 | Bavaria | Munich | Telefonica Germany GmbH & Co.OHG (AS6805)',
    '47.68.0.0/18 | Hesse | Eschborn | Vodafone GmbH (AS3209)',
    '77.185.0.0/18 | Baden-Wurttemberg | Offenburg | Telefonica Germany GmbH & Co.OHG (AS6805)',
  ],
  AT: [
    '46.220.0.0/18 | Vienna | Vienna | Hutchison Drei Austria GmbH (AS25255)',
    '164.3.0.0/18 | Upper Austria | Linz | Deutsche Telekom Global Business Solutions GmbH (AS8387)',
    '188.45.0.0/18 | Vienna | Vienna | A1 Telekom Austria AG (AS8447)',
    '158.220.32.0/19 | Salzburg | Salzburg | SALZBURG AG fur Energie, Verkehr und Telekommunikation (AS8445)',
    '212.33.56.0/21 | Upper Austria | Linz | LIWEST Kabelmedien GmbH (AS12605)',
  ],
  CH: [
    '62.203.0.0/18 | Zurich | Zurich | Swisscom (Schweiz) AG (AS3303)',
    '163.168.0.0/18 | Bern | Bern | Swisscom (Schweiz) AG (AS3303)',
    '178.82.224.0/19 | Zurich | Opfikon | Sunrise GmbH (AS6730)',
  ],
  NL: [
    '82.92.0.0/18 | North Holland | Amsterdam | KPN B.V. (AS1136)',
    '80.100.0.0/18 | South Holland | Zoetermeer | KPN B.V. (AS1136)',
    '188.88.0.0/18 | North Holland | Amsterdam | Odido Netherlands B.V. (AS50266)',
    '31.139.0.0/18 | Limburg | Maastricht | Vodafone Libertel B.V. (AS33915)',
  ],
  FR: [
    '82.248.0.0/18 | Ile-de-France | Paris | Free SAS (AS12322)',
    '129.182.0.0/18 | Ile-de-France | Massy | Orange S.A. (AS3215)',
    '90.98.0.0/18 | Ile-de-France | Paris | Orange S.A. (AS3215)',
    '89.224.0.0/18 | Ile-de-France | Champs-sur-Marne | Societe Francaise Du Radiotelephone - SFR SA (AS15557)',
    '86.78.0.0/18 | Ile-de-France | Boulogne-Billancourt | Societe Francaise Du Radiotelephone - SFR SA (AS15557)',
  ],
  ES: [
    '79.112.192.0/18 | Madrid | Madrid | DIGI SPAIN TELECOM S.L.U. (AS57269)',
    '80.37.0.0/18 | Madrid | Madrid | TELEFONICA DE ESPANA S.A.U. (AS3352)',
    '85.63.128.0/18 | Madrid | Pozuelo de Alarcon | Orange Espagne SA (AS12479)',
    '37.218.0.0/18 | Basque Country | Bilbao | Euskaltel S.A. (AS12338)',
    '217.130.160.0/19 | Galicia | Vigo | VODAFONE ESPANA S.A.U. (AS12430)',
  ],
  PT: [
    '198.56.128.0/18 | Lisbon | Lisbon | MEO - SERVICOS DE COMUNICACOES E MULTIMEDIA S.A. (AS3243)',
    '109.50.0.0/18 | Lisbon | Lisbon | NOS COMUNICACOES, S.A. (AS2860)',
    '5.43.0.0/18 | Porto | Porto | Vodafone Portugal - Communicacoes Pessoais S.A. (AS12353)',
    '93.102.0.0/19 | Faro | Faro | NOS COMUNICACOES, S.A. (AS2860)',
    '85.246.180.0/22 | Setubal | Setubal | MEO - SERVICOS DE COMUNICACOES E MULTIMEDIA S.A. (AS3243)',
  ],
  IT: [
    '5.84.0.0/18 | Lombardy | Rho | WIND TRE S.P.A. (AS24608)',
    '2.156.0.0/18 | Lombardy | Rho | WIND TRE S.P.A. (AS1267)',
    '5.168.0.0/18 | Lombardy | Milan | Telecom Italia S.p.A. (AS16232)',
    '79.38.0.0/18 | Lazio | Rome | Telecom Italia S.p.A. (AS3269)',
  ],
  PL: [
    '77.253.0.0/18 | Mazovia | Warsaw | Netia SA (AS12741)',
    '178.180.0.0/18 | Mazovia | Warsaw | T-Mobile Polska S.A. (AS12912)',
    '37.108.128.0/18 | Silesia | Katowice | Orange Polska Spolka Akcyjna (AS5617)',
    '62.29.192.0/19 | Mazovia | Piaseczno | T-Mobile Polska S.A. (AS12912)',
    '91.94.128.0/18 | Lodz Voivodeship | Skierniewice | Orange Polska Spolka Akcyjna (AS5617)',
  ],
  CZ: [
    '85.160.128.0/18 | Hlavni mesto Praha | Prague | O2 Czech Republic, a.s. (AS5610)',
    '31.169.128.0/18 | Prague | Jinonice | Vodafone Czech Republic a.s. (AS16019)',
    '109.183.64.0/19 | Prague | Vestec | T-Mobile Czech Republic a.s. (AS13036)',
    '31.30.192.0/18 | Prague | Prague | Vodafone Czech Republic a.s. (AS16019)',
    '78.136.144.0/20 | Carlsbad Region | As | O2 Czech Republic, a.s. (AS42908)',
  ],
  RO: [
    '165.78.64.0/18 | Bucharest | Bucharest | Vodafone Romania S.A. (AS12302)',
    '79.114.0.0/18 | Timis | Timisoara | DIGI ROMANIA S.A. (AS8708)',
    '89.121.64.0/18 | Bucuresti | Bucharest | Orange Romania S.A. (AS9050)',
    '89.122.128.0/18 | Olt | Slatina | Orange Romania S.A. (AS9050)',
    '79.115.96.0/19 | Arges | Pitesti | DIGI ROMANIA S.A. (AS8708)',
  ],
  HU: [
    '158.249.0.0/18 | Budapest | Budapest | Magyar Telekom plc. (AS5483)',
    '37.234.0.0/18 | Pest | Torokbalint | Yettel Hungary Ltd. (AS213155)',
    '176.226.0.0/18 | Pest | Torokbalint | DIGI Tavkozlesi es Szolgaltato Kft. (AS20845)',
    '85.67.184.0/21 | Budapest | Budapest | DIGI Tavkozlesi es Szolgaltato Kft. (AS20845)',
  ],
  UA: [
    '5.207.0.0/18 | Kyiv City | Kyiv | PrJSC "VF UKRAINE" (AS21497)',
    '159.160.0.0/18 | Kyiv City | Kyiv | Limited Liability Company "lifecell" (AS34058)',
    '46.118.192.0/18 | Kharkivs’ka Oblast’ | Kharkiv | "Kyivstar" PJSC (AS15895)',
    '46.133.224.0/19 | Kyiv | Hatne | PrJSC "VF UKRAINE" (AS21497)',
    '46.118.128.0/19 | Dnipropetrovsk | Dnipro | "Kyivstar" PJSC (AS15895)',
  ],
  KZ: [
    '2.74.0.0/18 | Almaty | Almaty | Kcell JSC (AS29355)',
    '2.77.0.0/18 | Qostanay | Kostanay | Kcell JSC (AS29355)',
    '5.76.192.0/18 | Almaty | Almaty | JSC Kazakhtelecom (AS9198)',
    '81.211.128.0/19 | Ulytau Region | Zhezqazghan | Mobile Telecom-Service LLP (AS48503)',
    '2.133.32.0/19 | Astana | Astana | JSC Kazakhtelecom (AS9198)',
  ],
  TR: [
    '95.2.64.0/18 | Ankara | Ankara | Turk Telekomunikasyon Anonim Sirketi (AS9121)',
    '5.26.0.0/18 | Istanbul | Pendik | TURKCELL ILETISIM HIZMETLERI A.S. (AS16135)',
    '31.176.0.0/18 | Istanbul | Maltepe | Superonline Iletisim Hizmetleri A.S. (AS34984)',
    '5.11.192.0/18 | Istanbul | Maltepe | TURKCELL ILETISIM HIZMETLERI A.S. (AS16135)',
    '31.177.128.0/19 | Istanbul | Sisli | Vodafone Telekomunikasyon A.S. (AS15897)',
  ],
  BR: [
    '191.135.192.0/18 | Sao Paulo | Agua Branca | TIM S/A (AS26615)',
    '191.167.0.0/18 | Sao Paulo | Sao Paulo | TIM S/A (AS26615)',
    '179.139.64.0/18 | Sao Paulo | Sao Jose do Rio Preto | Claro NXT Telecomunicacoes Ltda (AS28573)',
    '179.91.0.0/18 | Sao Paulo | Sao Jose do Rio Preto | TELEFONICA BRASIL S.A (AS26599)',
    '201.60.0.0/18 | Sao Paulo | Sao Paulo | TELEFONICA BRASIL S.A (AS27699)',
  ],
  MX: [
    '201.136.0.0/18 | Mexico City | Mexico City | Uninet S.A. de C.V. (AS8151)',
    '148.212.0.0/18 | Coahuila | Saltillo | Uninet S.A. de C.V. (AS8151)',
    '200.53.224.0/20 | Oaxaca | Oaxaca City | TOTAL PLAY TELECOMUNICACIONES SA DE CV (AS22884)',
  ],
  IN: [
    '157.43.0.0/18 | Maharashtra | Navi Mumbai | Reliance Jio Infocomm Limited (AS55836)',
    '223.233.128.0/18 | Karnataka | Bengaluru | Bharti Airtel Limited (AS45609)',
    '106.218.0.0/18 | Bihar | Patna | Bharti Airtel Limited (AS45609)',
    '42.110.0.0/18 | Maharashtra | Mumbai | Vodafone Idea Ltd. (VIL) (AS38266)',
    '49.14.192.0/18 | Telangana | Hyderabad | Vodafone Idea Ltd. (VIL) (AS45271)',
  ],
  ID: [
    '39.194.64.0/18 | Jakarta | Jakarta | PT. Telekomunikasi Selular (AS23693)',
    '120.161.64.0/18 | Jakarta | Jakarta | PT. INDOSAT Tbk (AS4761)',
    '114.126.0.0/18 | Jakarta | Central Jakarta | PT. Telekomunikasi Selular (AS23693)',
    '125.164.160.0/19 | South Sumatra | Palembang | Telekomunikasi Indonesia (PT) (AS7713)',
    '23.212.112.0/20 | Riau | Batam | Telekomunikasi Indonesia (PT) (AS7713)',
  ],
  PH: [
    '180.192.0.0/18 | National Capital Region | Mandaluyong | Philippine Long Distance Telephone Co. (AS9299)',
    '121.54.0.0/18 | National Capital Region | Makati City | Smart Broadband, Inc. (AS10139)',
    '119.111.64.0/18 | National Capital Region | Pasig | Philippine Long Distance Telephone Co. (AS9299)',
    '1.37.128.0/18 | National Capital Region | Taguig | Globe Telecom (GMCR,INC) (AS4775)',
    '1.37.192.0/18 | National Capital Region | Makati City | Globe Telecom (GMCR,INC) (AS4775)',
  ],
  VN: [
    '14.250.192.0/18 | Hanoi | Hanoi | VNPT Corp (AS45899)',
    '171.230.128.0/18 | Hanoi | Hanoi | Viettel Group (AS7552)',
    '113.185.128.0/18 | Dong Nai | Bien Hoa | VNPT Corp (AS45899)',
    '115.78.32.0/19 | Ho Chi Minh City (HCMC) | Ho Chi Minh City | Viettel Group (AS7552)',
    '1.52.128.0/20 | Ho Chi Minh City (HCMC) | Ho Chi Minh City | FPT Telecom Company (AS18403)',
  ],
  NG: [
    '102.93.64.0/18 | Lagos | Lagos | MTN NIGERIA Communication limited (AS29465)',
    '105.115.64.0/18 | Lagos | Lagos | Airtel Networks Limited (AS36873)',
    '83.143.8.0/21 | Lagos | Lekki | MTN NIGERIA Communication limited (AS29465)',
    '196.46.240.0/21 | Lagos | Lekki | Airtel Networks Limited (AS36873)',
  ],
  AU: [
    '122.109.0.0/18 | New South Wales | Macquarie Park | SingTel Optus Pty Ltd (AS4804)',
    '101.116.0.0/18 | New South Wales | North Sydney | Vodafone Australia Pty Ltd (AS133612)',
    '60.228.0.0/18 | New South Wales | Sydney | Telstra Limited (AS1221)',
    '137.147.0.0/18 | Victoria | Melbourne | Telstra Limited (AS1221)',
    '147.41.0.0/18 | Tasmania | Hobart | Telstra Corporation Limited (AS37978)',
  ],
  FI: [
    '146.211.0.0/18 | Uusimaa | Espoo | DNA Oyj (AS16086)',
    '139.157.0.0/18 | Uusimaa | Helsinki | Telia Finland Oyj (AS1759)',
    '131.177.0.0/18 | Tampere | Tampere | Telia Finland Oyj (AS1759)',
    '157.200.0.0/18 | Uusimaa | Vantaa | DNA Oyj (AS16086)',
  ],
  KE: [
    '196.99.0.0/18 | Nairobi County | Nairobi | Safaricom Limited (AS33771)',
    '102.3.0.0/18 | Nairobi County | Nairobi | Airtel Networks Kenya Limited (AS36926)',
    '196.98.208.0/20 | Kiambu County | Kiambu | Safaricom Limited (AS33771)',
    '154.76.76.0/22 | Mombasa | Mombasa | Airtel Networks Kenya Limited (AS36926)',
  ],
}

let lines = 0
const LINES = new Map(Object.entries(BLOCKS).map(([geo, blocks]) => [geo, blocks.map(lineOf)]))

/** Countries the demo has no block of: the ranges set aside for documentation, nowhere. */
const NO_LINES: readonly DemoLine[] = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'].map((block) => lineOf(`${block} |  |  | `))

function lineOf(text: string): DemoLine {
  const [block = '', region = '', city = '', label = ''] = text.split(' | ')
  const [start = '', bits = '32'] = block.split('/')
  const first = start.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  const last = first + 2 ** (32 - Number(bits)) - 2
  return {
    number: lines++,
    region,
    city: city.trim(),
    network: { asn: Number(readNetworkLabel(label).asn), label: label.trim(), connection: connectionOf(label) },
    drawAddress(next) {
      const address = first + 1 + Math.floor(next() * (last - first))
      return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`
    },
  }
}
