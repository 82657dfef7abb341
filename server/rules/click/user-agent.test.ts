import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeUserAgent, type Device } from '#server/rules/click/user-agent.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0'
const android = (model: string, rest = 'Mobile Safari/537.36') => `Mozilla/5.0 (Linux; Android 13; ${model}) ${CHROME} ${rest}`

/** What a JSON file holds. */
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** What people hold and look at: the usual ones, and those that are easily mistaken for others or for programs. */
const MACHINES = {
  mobile: [
    ...['K', 'SM-S918B', 'Pixel 8', '2201117TY', 'CPH2557', 'V2337A', 'moto g(60)', 'TECNO CK7n', 'RMX3511'].map((model) => android(model)),
    // phones whose names sound like programs
    ...['Scanner MC3300x', 'M bot 54', 'GM Discovery II', 'XBot Junior', 'Newsday_E1', 'CUBOT P80', 'Catch 4'].map((model) =>
      android(model),
    ),
    'Mozilla/5.0 (Linux; U; Android 4.2.2; it-it; S222 Build/CUBOT) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    // that name a tuner, or ask for the page of a computer
    ...['W-V745-TVM', 'Flare_J2_DTV', 'Letv X500'].map((model) => android(model)),
    ...['V2046A', 'CPH2207', 'SM-F936B', 'Redmi Note 9'].map((model) => android(model, 'Safari/537.36')),
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0; ARM; Touch; WPDesktop; Lumia 820)',
    // apps whose words sound like a program's
    `Mozilla/5.0 (Linux; Android 12; SM-A525F Build/SP1A; wv) ${CHROME} XWEB/3211 MMWEBSDK/20220303 Mobile Safari/537.36 MMWEBID/72 MicroMessenger/8.0.21 Process/toolsmp WeChat/arm64 Language/en`,
    'Mozilla/5.0 (Linux; Android 13; A301SO Build/67.0; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/125.0.6422.53 Mobile Safari/537.36 YJApp-ANDROID jp.co.yahoo.android.yjtop/3.169.0',
    'Podcasts/1410.53 CFNetwork/1408.0.4 Darwin/22.5.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.53 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1',
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80 (S60; SymbOS; Opera Mobi/23.348; U; en) Presto/2.5.25 Version/10.54',
    'Opera/9.80 (Series 60; Opera Mini/7.1.32444/34.1000; U; en) Presto/2.8.119 Version/11.10',
    'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    'Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0',
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15063',
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; HTC; Radar 4G)',
    'Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+',
    'SonyEricssonU100i/R1x Browser/NetFront/3.5 Profile/MIDP-2.1 Configuration/CLDC-1.1 JavaPlatform/JP-8.5',
    'Karbonn K595 WAP-Browser/1.0.0',
    'UCWEB/2.0 (Java; U; MIDP-2.0; en-US; nokia6120c) U2/1.0.0 UCBrowser/8.7.0.218 U2/1.0.0 Mobile',
    // apps and telephones that name no system
    '[FBAN/FB4A;FBAV/73.0.0.18.66;FBBV/28132076;FBDM/{density=1.5,width=480,height=854};FBLC/fr_FR;FBPN/com.facebook.katana;FBDV/TECNO-W3;FBSV/6.0;FBOP/1]',
    'HUAWEI-M636/001.00 WAP/OBIGO/Q05A',
    'Mozilla/3.0(WILLCOM;SANYO/WX310SA/2;1/1/C128) NetFront/3.3',
    `Mozilla/5.0 (Linux; Android 5.0.2; Redmi Note 2; wv) ${CHROME} Mobile Safari/537.36 SogouMSE,SogouMobileBrowser/6.1.5`,
  ],
  tablet: [
    'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
    ...['SM-X710', 'Lenovo TB-X606F', 'Pixel Tablet', 'KFMUWI', 'M_bot_tab_71', 'C Bot Tab 70'].map((model) =>
      android(model, 'Safari/537.36'),
    ),
    ...['SM-T505', 'Lenovo TB-8505X', 'HUAWEI MediaPad T5', 'BAH3-W09', 'AGS2-L09', '23073RPBFG', 'OPD2102', 'PMT3257_3G'].map((model) =>
      android(model),
    ),
    ...['Plane 8733T 3G PS8145PG', 'TZ856', 'Archos 101 Xenon', 'YT-X703F', 'TF-MID706G', 'P20HD(N6H7)'].map((model) => android(model)),
    // of series that do not say so, though they say `Mobile` as phones do
    ...['100043279', 'Navitel T757 LTE', 'Poke2Color', 'Pixus_Joker', 'EX7SL4', 'MT7-442D', 'X1030X', 'KOB2K-L09'].map((model) =>
      android(model),
    ),
    // by Google's list alone
    ...['22081283G', 'NS-15T8LTE', 'K017', 'SHT22', 'LG-AK495', 'DWA1015D'].map((model) => android(model)),
    'Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; ARM; Trident/6.0; Touch; MALNJS)',
    `Mozilla/5.0 (Linux; arm_64; Android 12; Unheard of) ${CHROME} YaSearchBrowser/23.71/apad BroPP/1.0 SA/3 Mobile Safari/537.36`,
    'Mozilla/5.0 (Android 14; Tablet; rv:133.0) Gecko/133.0 Firefox/133.0',
    'Mozilla/5.0 (Linux; U; Android 4.4.3; en-us; KFTHWI Build/KTU84M) AppleWebKit/537.36 (KHTML, like Gecko) Silk/47.1.79 like Chrome/47.0.2526.80 Safari/537.36',
    'Mozilla/5.0 (PlayBook; U; RIM Tablet OS 2.1.0; en-US) AppleWebKit/536.2+ (KHTML, like Gecko) Version/7.2.1.0 Safari/536.2+',
  ],
  desktop: [
    ...[
      'Windows NT 10.0; Win64; x64',
      'Macintosh; Intel Mac OS X 10_15_7',
      'X11; Linux x86_64',
      'X11; CrOS x86_64 14541.0.0',
      'X11; CrOS aarch64 15633.69.0',
      'X11; FreeBSD amd64',
    ].map((machine) => `Mozilla/5.0 (${machine}) ${CHROME} Safari/537.36`),
    ...['Samsung Chromebook 3', 'HP EliteBook 8470p', 'Inspiron 3542'].map((model) => android(model, 'Safari/537.36')),
    `Mozilla/5.0 (PC; OpenHarmony 5.0) ${CHROME} Safari/537.36 ArkWeb/4.1.6.1`,
    ...['20JJS0CU1M', 'F0CU0028RK', 'Swift SF113-31', 'BilimBook mini', 'GP70 2OD'].map((model) => android(model, 'Safari/537.36')),
    // what shows people what it fetches
    'NetNewsWire (macOS; RSS Reader; https://ranchero.com/netnewswire/)',
    'FeedDemon/4.5 (http://www.feeddemon.com/; Microsoft Windows XP)',
    'Reeder/1020.09.00 CFNetwork/596.3.3 Darwin/12.3.0 (x86_64) (iMac9%2C1)',
    'Microsoft Office Word 2013 (15.0.4693) Windows NT 6.2',
    // of systems nobody knows
    'Mozilla/4.08 (Charon; Inferno)',
    'Opera/9.46.(Windows 95; lg-UG) Presto/2.9.172 Version/11.00',
    'Bear/5702 CFNetwork/811.8 Darwin/16.7.0 (x86_64)',
    'GOGGalaxyClient/2.0.12 (GOG Galaxy) (win10 x64)',
    'Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1; WOW64; Trident/5.0; chromeframe/19.0.1084.52)',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; Tablet PC 2.0)',
    'Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18',
    'Mozilla/5.0 (X11; Linux aarch64; rv:128.0) Gecko/20100101 Firefox/128.0',
  ],
  tv: [
    'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/85.0.4183.93 TV Safari/537.36',
    `Mozilla/5.0 (Web0S; Linux/SmartTV) ${CHROME} Safari/537.36 WebAppManager`,
    `Mozilla/5.0 (X11; Linux armv7l) ${CHROME} Safari/537.36 CrKey/1.56.500000 DeviceType/Chromecast`,
    `Mozilla/5.0 (X11; Fuchsia) ${CHROME} Safari/537.36 CrKey/1.56.500000`,
    'Mozilla/5.0 (Linux; Android 9; AFTSSS Build/PS7646.3531N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/110.0.5481.154 Mobile Safari/537.36',
    ...[
      'AFTMM',
      'AFTKA',
      'BRAVIA 4K VH2',
      'MiTV-MOOQ1',
      'MIBOX4',
      'SHIELD Android TV',
      'ONVO SMART TV',
      'Orange TV Box',
      'Xming Google TV',
      '32LEX-7292-TS2C',
      'Harper 43U660TS',
      'Mystery Shell LC430DUY',
      'H96 Max',
      'X96Max_Plus',
      'MXQ-4K',
      'MINIX NEO-U9-H',
      'UGOOS-AM6',
      'Nexus Player',
    ].map((model) => android(model, 'Safari/537.36')),
    ...['BeyondTV5', 'Chromecast HD', 'KoganTVAP', 'TD50UFGEV1', 'MiTV4-ANSM0'].map((model) => android(model)),
    'Opera/9.80 (Linux mips; ) Presto/2.12.407 Version/12.51 MB97/0.39.24.3 (FINLUX, Mxl661L32, wireless) VSTVB_MB97 SmartTvA/3.0.0',
    'smarttv_AFTMM_Build_535062120_Chromium_59.0.2883.91',
    `Mozilla/5.0 (Linux; Android 11; 50U540S; wv) ${CHROME} YaBrowser/23.1.0.29 (lite) TV Safari/537.36`,
    'Roku/DVP-12.5 (12.5.0.4178-C1)',
    'Mozilla/5.0 (Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/84.0.4147.140 Safari/537.36 OPR/46.0.2207.0 OMI/4.21.4.112.Catcher4.69 Model/Hisense-MT9602 VIDAA/5.0(Hisense;SmartTV;43A6G)',
    'Opera/9.80 (Linux 7405b0-smp; U; HbbTV/1.1.1 (; Humax; CXHD-5100C; 1.00.23; 1.0; ); ce-html/1.0; en) Presto/2.9.167 Version/11.50',
    'Mozilla/5.0 (Linux; NetCast; U) AppleWebKit/537.31 (KHTML, like Gecko) Chrome/38.0.2125.122 Safari/537.31 SmartTV/7.0',
  ],
  console: [
    'Mozilla/5.0 (PlayStation; PlayStation 5/8.20) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
    'Mozilla/5.0 (PlayStation 4 11.00) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (PlayStation Vita 3.73) AppleWebKit/537.73 (KHTML, like Gecko) Silk/3.2',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox Series X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edge/44.18363.8131',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; XBOX_ONE_ED) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/51.0.2704.79 Safari/537.36 Edge/14.14393',
    'Mozilla/5.0 (Nintendo Switch; WifiWebAuthApplet) AppleWebKit/609.4 (KHTML, like Gecko) NF/6.0.3.15.4 NintendoBrowser/5.1.0.22433',
    ...['RG405M', 'RG505', 'Razer Edge 5G', 'G Cloud', 'Odin2', 'GPD XD Plus'].map((model) => android(model)),
    'Mozilla/5.0 (Nintendo WiiU) AppleWebKit/536.30 (KHTML, like Gecko) NX/3.0.4.2.12 NintendoBrowser/4.3.1.11264.US',
  ],
}

describe('User-Agents', () => {
  it.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
      'desktop',
      'Windows',
      'Chrome',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      'desktop',
      'Windows',
      'Edge',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
      'desktop',
      'macOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'mobile',
      'iOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
      'tablet',
      'iOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Android',
      'Samsung Internet',
    ],
    ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'desktop', 'Linux', 'Firefox'],
    [
      'Mozilla/5.0 (SMART-TV; Linux; Tizen 6.5) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/4.0 Chrome/85.0.4183.93 TV Safari/537.36',
      'tv',
      'Tizen',
      'Samsung Internet',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 334.0',
      'mobile',
      'iOS',
      'Instagram',
    ],
    [
      'Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
      'mobile',
      'Android',
      'Chrome',
    ],
    ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'desktop', 'Windows', 'Internet Explorer'],
    ['Opera/9.80 (Android; Opera Mini/7.6/191.340; U; en) Presto/2.12 Version/12.16', 'mobile', 'Android', 'Opera'],
  ])('%s', (text, device, os, browser) => {
    expect(describeUserAgent(text)).toMatchObject({ device, os, browser, bot: false })
  })

  it.each(Object.entries(MACHINES))('of a %s are told, none of them as a program', (device, texts) => {
    expect(texts.map((text) => [text, describeUserAgent(text).device])).toEqual(texts.map((text) => [text, device]))
  })

  it('of 10,000 real visitors are told, and less than one in two hundred is called a program', () => {
    const visitors = read(path.join(createRequire(import.meta.url).resolve('user-agents'), '../user-agents.json')) as {
      userAgent: string
      deviceCategory: Device
    }[]
    const told = visitors.map(({ userAgent, deviceCategory }) => ({ ...describeUserAgent(userAgent), deviceCategory }))
    for (const kind of ['mobile', 'tablet', 'desktop'] as const) {
      const those = told.filter(({ deviceCategory }) => deviceCategory === kind)
      expect(those.length).toBeGreaterThan(10)
      expect(those.filter(({ device }) => device === kind).length / those.length, kind).toBeGreaterThanOrEqual(0.95)
    }
    expect(told.filter(({ device }) => device === 'unknown')).toEqual([])
    expect(told.filter(({ bot }) => bot).length / told.length).toBeLessThan(0.005)
  })

  it('of 2,000 known programs are found, at least 98 in a hundred', () => {
    const programs = (read(createRequire(import.meta.url).resolve('crawler-user-agents')) as { instances: string[] }[]).flatMap(
      ({ instances }) => instances,
    )
    expect(programs.length).toBeGreaterThan(2000)
    expect(programs.filter((text) => describeUserAgent(text).bot).length / programs.length).toBeGreaterThanOrEqual(0.98)
  })

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'curl/8.5.0',
    'python-requests/2.32',
    'Slackbot-LinkExpanding 1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 HeadlessChrome/131.0',
    'WhatsApp/2.23',
    'Uptime-Kuma/1.23.13',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Uptime-Kuma/2.0',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; Claude-User/1.0',
    'Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 Configuration/CLDC-1.1 UP.Browser/6.2.3.3.c.1.101 (GUI) MMP/2.0 (compatible; Googlebot-Mobile/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
    'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)',
    'Go-http-client/2.0',
    'okhttp/4.12.0',
    'Mozilla/5.0',
    'Mozilla/5.0 (compatible)',
    '',
    '   ',
  ])('without a person behind it: %j', (text) => {
    expect(describeUserAgent(text).bot).toBe(true)
  })

  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, '10/11', '131.0', '', ''],
    [`Mozilla/5.0 (Windows NT 6.3) ${CHROME} Safari/537.36`, '8.1', '131.0', '', ''],
    ['Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1)', 'XP', '8.0', '', ''],
    // frozen by the browser: nobody's true version, and no model
    [android('K').replace('Android 13', 'Android 10'), '', '131.0', '', ''],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${CHROME} Safari/537.36`, '', '131.0', 'Apple', ''],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      '26.0',
      '26.0',
      'Apple',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 334.0.4',
      '17.5',
      '334.0',
      'Apple',
      'iPhone',
    ],
    ['Mozilla/5.0 (Android 14; Mobile; rv:133.0) Gecko/133.0 Firefox/133.0', '14', '133.0', '', ''],
    ['Opera/9.80 (Android; Opera Mini/7.6/191.340; U; en) Presto/2.12 Version/12.16', '', '12.16', '', ''],
    // told elsewhere than by others
    [
      'Mozilla/5.0 (Linux; U; Android 13; en-US; RMX3511 Build/TP1A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.6.8.1318 Mobile Safari/537.36',
      '13',
      '13.6',
      'Realme',
      'RMX3511',
    ],
    [
      'UCWEB/2.0 (MIDP-2.0; U; Adr 9; ru; POCOPHONE_F1) U2/1.0.0 UCBrowser/11.1.2.1113 U2/1.0.0 Mobile',
      '9',
      '11.1',
      'POCO',
      'POCOPHONE_F1',
    ],
    ['Mozilla/5.0 (PlayStation; PlayStation 5/8.20) AppleWebKit/605.1.15 (KHTML, like Gecko)', '8.20', '', 'Sony', 'PlayStation 5'],
    ['Mozilla/4.0 (compatible; MSIE 6.0; Windows 98)', '98', '6.0', '', ''],
    ['Podcasts/1410.53 iOS/16.0 CFNetwork/1408.0.4 Darwin/22.5.0', '16.0', '', '', ''],
    ['', '', '', '', ''],
  ])('tell versions, brand and model: %j', (text, os_version, browser_version, brand, model) => {
    expect(describeUserAgent(text)).toMatchObject({ os_version, browser_version, brand, model })
  })

  it('name the model of an Android machine in whatever form', () => {
    const models = [
      android('SM-S918B'),
      android('SM-S918B Build/UP1A.231005.007; wv'),
      android('SM-S918B').replace('Linux; Android 13;', 'Linux; U; Android 13; de-de;'),
      'Dalvik/2.1.0 (Linux; U; Android 13; SM-S918B Build/TP1A)',
    ]
    expect(models.map((text) => describeUserAgent(text).model)).toEqual(models.map(() => 'SM-S918B'))
    expect(describeUserAgent(android(`a\\b\t\u0416c${'d'.repeat(60)}`)).model).toBe(`abc${'d'.repeat(37)}`)
    expect(describeUserAgent(android('Kiano Elegance')).model).toBe('Kiano Elegance')
  })

  it.each([
    ['Samsung', ['SM-S918B', 'SAMSUNG SM-G991U', 'GT-I9300', 'Galaxy Nexus']],
    ['Xiaomi', ['Redmi Note 9', '2201117TY', 'M2007J20CG', 'Mi 9T']],
    ['Huawei', ['STK-LX1', 'HUAWEI P30', 'BAH3-W09']],
    ['Honor', ['REA-NX9']],
    ['OPPO', ['CPH2557', 'Reno5 5G']],
    ['Vivo', ['V2337A', 'vivo 1902']],
    ['Realme', ['RMX3511']],
    ['OnePlus', ['ONEPLUS A6003', 'LE2113']],
    ['Motorola', ['moto g(60)', 'XT2041-4']],
    ['Google', ['Pixel 8', 'Pixel 6 Pro']],
    ['Lenovo', ['TB-X606F', 'Lenovo TB-8505X']],
    ['Tecno', ['TECNO CK7n']],
    ['Amazon', ['KFMUWI', 'AFTMM']],
    // by Google's list alone
    ['Evercoss', ['A75B']],
    ['', ['Unheard of', 'constructor', '__proto__', 'toString', 'K-Unknown']],
  ])('of %j are told by their models', (brand, models) => {
    expect(models.map((model) => [model, describeUserAgent(android(model)).brand])).toEqual(models.map((model) => [model, brand]))
  })

  it('that mean harm neither throw nor take long', () => {
    for (const text of ['a'.repeat(100_000), '('.repeat(5000), `Mozilla/5.0 (${'; '.repeat(4000)})`, '\ud800', 'Version/'.repeat(2000)]) {
      const started = performance.now()
      expect(describeUserAgent(text).device).toBeTypeOf('string')
      expect(performance.now() - started).toBeLessThan(100)
    }
  })

  it('of whatever text fit the row of a click', () => {
    const told = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('constructor', '9'.repeat(30), 'é\\\t\n'))
    const texts = fc.oneof(
      told,
      told.map((name) => android(name)),
      told.map((name) => `Mozilla/5.0 (Linux; Android ${name}; SM-A1) Chrome/${name} UCBrowser/${name} Instagram ${name}`),
      told.map((name) => `Mozilla/5.0 (Windows NT ${name}; Windows ${name}) iOS/${name} PlayStation ${name} Nokia${name}`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const { os_version, browser_version, brand, model } = describeUserAgent(text)
        for (const version of [os_version, browser_version]) expect(version).toMatch(/^(?:[A-Za-z]{2,5}|\d{1,5}(?:\.\d{1,5})?)?$/)
        for (const name of [brand, model]) expect(name).toMatch(/^(?:[!-[\]-~](?:[ -[\]-~]{0,38}[!-[\]-~])?)?$/)
      }),
    )
  })
})
