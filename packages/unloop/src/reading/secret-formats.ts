/**
 * Secrets by their format, and what is written instead. Every repeat is bounded, or of one set of characters at the end of
 * an expression that has already matched.
 */
export const SECRET_FORMATS: readonly (readonly [secret: RegExp, label: string])[] = [
  // keys that begin with the name of a service: chance makes one without a digit now and then, but no word is as long
  [
    /(?<![A-Za-z0-9])(?:api_org_|ATBB|CCIPAT_|CFPAT-|HRKU-|NRAK-|PMAK-|bku[ar]_|csk-|fm[12]_|fo1_|fw_|lin_oauth_|phx_|pul-|sb_secret_|sq[apu]_|sq0[a-z]{3}-|xkeysib-|xox[a-z]\.xox[a-z]-)(?=[\w+/-]{0,80}\d|[A-Za-z]{20})[\w+/-]{20}[\w+/.=-]*/g,
    '[key]',
  ],
  // those that only their length tells from a word
  [
    /(?<![A-Za-z0-9])(?:AQVN[\w-]{35}[\w-]*|ABSK[A-Za-z0-9+/]{60}[A-Za-z0-9+/]*=*|EAA[A-Za-z0-9]{40}[\w-]*|SK[0-9a-f]{32}|cio[A-Za-z0-9]{32}|oy2[a-z0-9]{43}|secret_[A-Za-z0-9]{43}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}|1\/\/0[\w-]{30}[\w-]*)(?![A-Za-z0-9])/g,
    '[key]',
  ],
  // those that have their mark in the middle or at the end
  [
    /(?<![A-Za-z0-9])(?:[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})|[0-9a-fx]{36}NRAL|[12]\/\d{13,19}(?:\/\d{13,19})?:[0-9a-f]{32}|pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40}[\w=-]*|[\w~.]{3}\dQ~[\w~.-]{31}[\w~.-]*|dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}|dp\.[a-z]{2,5}\.(?:[\w-]{1,40}\.)?[A-Za-z0-9]{40}[A-Za-z0-9]*)(?![A-Za-z0-9])/g,
    '[key]',
  ],
  // those with the id of an account in them
  [
    /(?<![A-Za-z0-9-])(?:pat-[a-z]{2}\d|(?:access|public|link)-(?:sandbox|development|production))-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g,
    '[key]',
  ],
  [/(?<=(?<![A-Za-z0-9])AC[0-9a-f]{32}:)[0-9a-f]{32}/g, '[key]'],
  [/access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}/g, '[key]'],
  // bots of Discord: an id, whose digits begin like this in base64, a time and a signature
  [
    /(?<![\w.-])[MNO](?:[DTjz][AEIMQUYcgk]|(?=[A-Za-z_-]{0,27}\d)\w\w)[\w-]{21,25}\.[\w-]{6,7}\.[\w-]{27}[\w-]*/g,
    '[key]',
  ],
  // addresses that anybody may write to
  [
    /(?<=hooks\.slack\.com\/(?:workflows|triggers)\/|\.webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/|maker\.ifttt\.com\/use\/)[\w@/-]{8}[\w@/.-]*/g,
    '[key]',
  ],
  // a private key in base64, and one of PuTTY
  [/(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{20}[A-Za-z0-9+/]*=*/g, '[key]'],
  [/(Private-Lines: \d{1,4})(?:\s|\\[nr])[\sA-Za-z0-9+/=\\]+/g, '$1 [key] '],
  // hashes of passwords
  [
    /(?<![\w$])\$(?:1|2[abxy]|5|6|7|y|argon2[a-z]{1,2}|scrypt|pbkdf2-[a-z0-9]{1,8})\$(?=[^\s"']{0,60}\d)[\w./$=,+-]{20}[\w./$=,+-]*/g,
    '[secret]',
  ],
  // variables of an environment, whose names say what they have
  [
    /(\b[A-Z][A-Z0-9_]{0,40}(?:SECRET|KEY|TOKEN|PASSWORD|PAT|CREDENTIALS?)(?:_[A-Z0-9]{1,16}){0,2}["']?\s{0,3}[:=]\s{0,3}["']?)(?![[$<{/~.])(?=[^\s"'\\]{0,60}\d|[A-Za-z]{20})[^\s"'\\,;)}&]{12}[^\s"'\\,;)}&]*/g,
    '$1[secret]',
  ],
  [
    /(\b(?:x-[a-z-]{0,30}|dd-(?:api|application)-|fastly-|ocp-apim-subscription-|circle-|private-|job-|deploy-)(?:key|token|secret)["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[)[^\s"'\\,;)}&]{8}[^\s"'\\,;)}&]*/gi,
    '$1[secret]',
  ],
  [
    /(\bclient-key-data\\{0,3}["']?:\s{0,3}\\{0,3}["']?)(?!\[)[A-Za-z0-9+/]{20}[A-Za-z0-9+/]*=*/g,
    '$1[key]',
  ],
  [
    /(["']auth\\{0,3}["']\s{0,3}:\s{0,3}\\{0,3}["'])(?=[A-Za-z+/]{0,60}[\d=]|[A-Za-z+/]{20})[A-Za-z0-9+/]{12}[A-Za-z0-9+/]*=*(?=\\{0,3}["'])/g,
    '$1[secret]',
  ],
  // command lines
  [/(--from-literal[= ]["']?[\w.-]{1,64}=)(?!\[)[^\s"'\\]{3}[^\s"'\\]*/g, '$1[secret]'],
  [/(-pass(?:in|out)?\s{1,3}["']?pass:)(?!\[)[^\s"'\\]{3}[^\s"'\\]*/g, '$1[secret]'],
  [/(\bpass:)(?=[^\s"'\\]{0,60}\d)(?!\[)[^\s"'\\]{6}[^\s"'\\]*/g, '$1[secret]'],
  [/(\blogin\s{1,3}\S{1,64}\s{1,3}password\s{1,3})(?!\[)[^\s"'\\]{3}[^\s"'\\]*/g, '$1[secret]'],
  [
    /(\bnet\s{1,3}use\s{1,3}(?:[A-Za-z*]:?\s{1,3})?\\{2,8}[^\s"']{1,200}\s{1,3})(?![/[])[^\s"'\\]{3}[^\s"'\\]*/gi,
    '$1[secret]',
  ],
  [
    /(\/user:[^\s"']{1,80}\s{1,3})(?![/[])(?=[^\s"'\\]{0,60}\d)[^\s"'\\]{4}[^\s"'\\]*/gi,
    '$1[secret]',
  ],
  // .pgpass: only with a port that is one of PostgreSQL
  [/(:(?:543\d|6432):[\w*-]{1,64}:[\w*-]{1,64}:)(?!\[)[^\s"'\\:]{4}[^\s"'\\:]*/g, '$1[secret]'],
]
