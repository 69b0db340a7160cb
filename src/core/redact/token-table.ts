/** A vendor token: its prefix, and a sticky pattern for the remainder. */
export interface TokenRule {
  readonly prefix: string;
  readonly body: RegExp;
}

/**
 * Patterns for the remainder of a token. Each either fails within a bounded number of characters or consumes what it
 * matched, so that checking every word of a text stays linear. `free` and `name` match letters, digits, `_` and `-`. A
 * `name` needs a digit in the first 64 characters, because otherwise it is the name of a function or a style.
 */
const BODIES = {
  hex: (min: number) => `[0-9a-f]{${min},}`,
  plain: (min: number) => `[A-Za-z0-9]{${min},}`,
  free: (min: number) => `[A-Za-z0-9_-]{${min},}`,
  name: (min: number) => `(?=[A-Za-z_-]{0,63}\\d)[A-Za-z0-9_-]{${min},}`,
  dotted: (min: number) => `[A-Za-z0-9_-][A-Za-z0-9_.-]{${min - 1},}`,
  base64: (min: number) => `[A-Za-z0-9+/_-]{${min},}={0,2}(?:_[A-Za-z0-9+/_-]{1,})?`,
} as const;

/**
 * Prefixes and minimum lengths, from the vendors' documentation. The lengths are reduced so that truncated tokens
 * match, too.
 */
const PREFIXED: readonly (readonly [keyof typeof BODIES, number, string])[] = [
  // Code hosting, packages, builds.
  ["plain", 16, "ghp_ gho_ ghu_ ghs_ ghr_ npm_ AKCp pnu_ pnb_ nfp_ nfc_ nfo_ nfb_ cmVmdGtu cmVmd"],
  [
    "free",
    16,
    "CCIPAT_ CCIPRJ_ github_pat_ glpat- glptt- gldt- glrt- glrtr- glft- glcbt- glagent- glsoat- glimt- glffct- gloas- glwt-",
  ],
  ["free", 16, "GR1348941 pypi-AgE dckr_pat_ dckr_oat_ ATATT3 ATCTT3 ATBB sntryu_ sgp_ HRKU- tskey- figd_ figu_ figo_"],
  ["hex", 32, "rubygems_ CLOJARS_ bkua_ squ_ sqp_ sqa_ pul- sbp_ dop_v1_ doo_v1_ dor_v1_ fc- key-"],
  ["base64", 24, "sntrys_ fm1r_ fm2_ ABSK AQE cflt"],
  // Clouds, databases, vaults.
  ["free", 16, "AIza GOCSPX- sb_secret_ pscale_pw_ pscale_tkn_ pscale_oauth_ napi_ AQVN tk-us- dnkey- sha256~"],
  ["dotted", 16, "ya29. hvs. hvb. hvr. dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. SG. dt0c01. dt0s01."],
  ["free", 24, "ops_ey glc_ey xau_ zpka_ fo1_"],
  ["plain", 20, "vcp_ vci_ vca_ vcr_ vck_ rnd_ AGE-SECRET-KEY-1"],
  // AI models.
  [
    "name",
    12,
    "sk-ant- sk-proj- sk-or-v1- sk-lf- xai- tvly- nvapi- lsv2_pt_ lsv2_sk_ pcsk_ csk- esecret_ pplx- apify_api_",
  ],
  ["plain", 20, "hf_ api_org_ gsk_ r8_ fw_ sess- ntn_ secret-"],
  // Messaging, mail, payment, shops.
  ["free", 10, "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xoxe.xoxp- xoxe.xoxb- xwfp-"],
  [
    "free",
    16,
    "whsec_ xkeysib- xsmtpsib- sq0atp- sq0csp- EAAA EAAB EAAC EAAG FLWSECK- FLWSECK_TEST- pdl_live_ pdl_sdbx_",
  ],
  ["hex", 16, "shpat_ shpss_ shpca_ shppa_ dapi"],
  ["plain", 12, "rzp_live_ rzp_test_ sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ whpk_"],
  ["free", 20, "shippo_live_ shippo_test_ duffel_live_ duffel_test_ EZAK EZTK tfp_ fio-u- rdme_ CFPAT- phx_ phs_"],
  [
    "free",
    16,
    "lin_api_ lin_oauth_ PMAK- NRAK- NRII- NRJS- NRRA- glsa_ hcaik_ hcbik_ hcxik_ sm_pat_ sm_aat_ s-s4t2ud-",
  ],
  // Prefixes that many products use.
  ["name", 12, "sk- sk_ rk- rk_ ak- ak_"],
];

const UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const ASANA = "\\d{13,19}(?:/\\d{13,19})?:[0-9a-f]{32}";
const END = "(?![A-Za-z0-9_-])";

/** Short prefixes that ordinary names share: the complete format must match. */
const SHAPED: readonly (readonly [string, string])[] = [
  ["AKIA", "[A-Z0-9]{12,}"],
  ["ASIA", "[A-Z0-9]{12,}"],
  ["amzn.mws.", UUID],
  ["1//0", "[A-Za-z0-9_-]{30,}"],
  ["v1.0-", "[0-9a-f]{24}-[0-9a-f]{100,}"],
  ["LTAI", `[A-Za-z0-9]{12,24}${END}`],
  ["AKID", `[A-Za-z0-9]{28,36}${END}`],
  ["oy2", `[a-z0-9]{43}${END}`],
  ["cio", `[A-Za-z0-9]{32}${END}`],
  ["pa-", `(?=[A-Za-z_-]{0,42}\\d)[A-Za-z0-9_-]{43}${END}`],
  ["md-", `(?=[A-Za-z_-]{0,21}\\d)[A-Za-z0-9_-]{22}${END}`],
  ["p8e-", "[A-Za-z0-9]{32}"],
  ["SK", `[0-9a-f]{32}${END}`],
  ["re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["live_", `[A-Za-z0-9]{28,}${END}`],
  ["test_", `(?=[A-Za-z]{0,27}\\d)[A-Za-z0-9]{28,}${END}`],
  ["secret_", `[A-Za-z0-9]{40,}${END}`],
  ["access_token$", "[a-z]{4,12}\\$[0-9a-z]{16}\\$[0-9a-f]{32}"],
  ["access-", `(?:production|sandbox|development)-${UUID}`],
  ["sdk-", UUID],
  ["api-", UUID],
  ["mob-", UUID],
  ["pat-", `[a-z]{2}\\d-${UUID}`],
  ["pat", "[A-Za-z0-9]{14}\\.[0-9a-f]{32,}"],
  ["pk_", "\\d{6,10}_[A-Z0-9]{32}"],
  ["sl.", "[A-Za-z0-9_-]{80,}"],
  ["s.", `(?=[A-Za-z]{0,23}\\d)[A-Za-z0-9]{24}${END}`],
  ["jina_", "[0-9a-f]{32}[A-Za-z0-9_-]{20,}"],
  ["API-", `[A-Z0-9]{24,32}${END}`],
  ["SWMTKN-", "\\d-[a-z0-9]{40,}-[a-z0-9]{20,}"],
  ["sec-c-", UUID],
  ["AAAA", "[A-Za-z0-9_-]{7}:APA91b[A-Za-z0-9_-]{60,}"],
  ["mfa.", "[A-Za-z0-9_-]{60,}"],
  ["oauth:", `[a-z0-9]{30}${END}`],
  ["v2.local.", "[A-Za-z0-9_-]{40,}"],
  ["v3.local.", "[A-Za-z0-9_-]{40,}"],
  ["v4.local.", "[A-Za-z0-9_-]{40,}"],
  ["v2.public.", "[A-Za-z0-9_-]{40,}"],
  ["v4.public.", "[A-Za-z0-9_-]{40,}"],
  ["eyJrIjoi", "[A-Za-z0-9+/_-]{30,}={0,2}"],
  ["0/", ASANA],
  ["1/", ASANA],
  ["2/", ASANA],
  ["ico-", `[A-Za-z0-9]{32}${END}`],
];

export const TOKEN_RULES: readonly TokenRule[] = [
  ...SHAPED.map(([prefix, source]): TokenRule => ({ prefix, body: new RegExp(source, "y") })),
  ...PREFIXED.flatMap(([body, min, prefixes]) =>
    prefixes.split(" ").map((prefix): TokenRule => ({ prefix, body: new RegExp(BODIES[body](min), "y") })),
  ),
];

/** A Discord bot token: the id in base64, a timestamp, a signature. */
export const DISCORD_TOKEN = /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}/y;

/** Tokens without a prefix: a literal that must occur, and the complete format. */
export const OTHER_TOKENS: readonly (readonly [literal: string, pattern: RegExp])[] = [
  [".atlasv1.", /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{30,}/g],
  ["Q~", /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,40}/g],
  ["AZDO", /[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}/g],
  ["-us", /(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])/g],
  ["WIFI:", /(?<=WIFI:[^\n]{0,100};P:)[^;\n]{1,100}(?=;)/g],
  ["{", /\{(?:SSHA\d{0,3}|SHA\d{0,3}|MD5|SMD5|CRYPT|PBKDF2[\w-]{0,20})\}[A-Za-z0-9+/=$.]{12,}/g],
  [":AA", /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{28,64}/g],
  // Password hashes of /etc/shadow, web servers and user tables.
  [
    "$",
    /\$(?:apr1|1|2[abxy]?|5|6|7|y|gy|P|H|argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\d{1,3})?)\$[./A-Za-z0-9$=,+-]{13,}/g,
  ],
];
