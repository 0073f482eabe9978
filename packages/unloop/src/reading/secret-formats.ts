/** What is taken out of a text, and what is written instead. */
export type Secret = readonly [secret: RegExp, label: string]

/**
 * Keys by their format. Every repeat is bounded, or of one set of characters at the end of an expression that has
 * already matched.
 */
export const SECRET_FORMATS: readonly Secret[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|SECRET)[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g,
    '[key]',
  ],
  // what a service puts in front of its keys, and a long run of their characters: with a digit, or longer than any word
  [
    /(?<![A-Za-z0-9])(?:(?:sk|pk|rk|whsec|gl(?:pat|ptt|dt|rt|ft|cbt|soat|agent)|xox[a-z](?:\.xox[a-z])?|xapp|xai|pplx|tvly|nvapi|pypi|tskey|GOCSPX|(?:csk|pul|CFPAT|HRKU|NRAK|PMAK|xkeysib|sq0[a-z]{3})(?=-[\w-]{20})|AGE-SECRET-KEY|(?:pat-[a-z]{2}\d|(?:access|public|link)-(?:sandbox|development|production))(?=-[0-9a-f]{8}-)|key(?=-[0-9a-f]{32}))-|(?:[spr]k|whsec|gh[oprsu]|github_pat|do[opr]_v1|shp(?:at|ca|pa|ss)|dckr_pat|rubygems|pscale_(?:tkn|pw)|lsv2_(?:pt|sk)|sntry[su]|npm|hf|r8|gsk|lin_api|sbp|figd|gl(?:sa|c)|vercel_blob_rw|nfp|ntn|(?:lin_oauth|api_org|CCIPAT|bku[ar]|fo1|fw|phx|sb_secret|sq[apu])(?=_[\w-]{20}))_|A[KS]IA|ABIA|ACCA|AROA|AIza|AT[AC]TT3|ATBB|EAAC|EZAK|LTAI|AKCp|AQVN|eyJ|1\/\/0|dapi(?=[0-9a-f]{16})|(?:ya29|SG|hv[bs]|dt0[a-z]\d\d|dp\.[a-z]{2,5}(?:\.\w{1,40})?|\w{14}\.atlasv1|pat\w{14}(?=\.[0-9a-f]{64}))\.|[12]\/\d{13,19}(?:\/\d{13,19})?:|AC[0-9a-f]{32}:|(?:bot)?\d{8,10}:(?=[\w-]{35})|access_token\$\w{7,10}\$\w{16}\$)(?=[\w*.-]{0,80}(?:[\d*]|[A-Za-z]{16}))[\w*-]{12}[\w*.~+/-]*=*/g,
    '[key]',
  ],
  // those that only their length tells from a word, and those with a mark in the middle or at the end; bots of Discord have
  // an id, whose digits begin like this in base64, a time and a signature
  [
    /(?<![A-Za-z0-9])(?:(?:(?:EAA|SK|cio|oy2|secret_)[A-Za-z0-9]{8}|re_\w{8}_)[A-Za-z0-9]{24}[\w-]*|(?:ABSK|fm[12]_|LS0tLS1CRUdJTi)[\w+/]{20}[\w+/]*=*|[0-9a-f]{32}-(?:us\d{1,2}|[0-9a-f]{8}-[0-9a-f]{8})|[0-9a-fx]{36}NRAL|[\w~.]{3}\dQ~[\w~.-]{31}[\w~.-]*|[MNO][DTjz][AEIMQUYcgk][\w-]{21,25}\.[\w-]{6,7}\.[\w-]{27}[\w-]*)(?![A-Za-z0-9])/g,
    '[key]',
  ],
  // addresses that anybody may write to
  [
    /(?:(?<=\/\/[\w.-]{0,40}hook[\w.-]{0,20}\/[a-z]\w{1,15}\/)(?=[^\s"']{0,80}\d)|(?<=\/webhooks\/\d{1,25}\/|ifttt\.com\/use\/))[\w@/-]{8}[\w@/.-]*/g,
    '[key]',
  ],
  // a private key of PuTTY
  [/(Private-Lines: \d{1,4})(?:\s|\\[nr])[\s\ufdd0A-Za-z0-9+/=\\]+/g, '$1 [key] '],
  // hashes of passwords
  [
    /(?<![\w$])\$(?:1|2[abxy]|5|6|7|y|argon2[a-z]{1,2}|scrypt|pbkdf2-[a-z0-9]{1,8})\$(?=[^\s"']{0,60}\d)[\w./$=,+-]{20}[\w./$=,+-]*/g,
    '[secret]',
  ],
]
