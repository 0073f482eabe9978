const list = (words: string) => words.trim().split(/\s+/)

/** Names for what agents work on, so that no two steps are alike by accident. */
export const SERVICES = list(`
  billing search mail auth orders stock prices basket checkout invoices reports users sessions images thumbs queue cache
  events audit export import webhooks metrics alerts themes fonts icons tenants coupons refunds shipping carriers returns
  reviews ratings wishlist banners surveys backups secrets`)

export const PEOPLE = list(`
  ada grace alan edsger barbara donald john margaret dennis ken linus guido bjarne james anders yukihiro brendan tim vint
  radia leslie frances jean kathleen betty marlyn ruth karen sophie mary hedy annie dorothy evelyn joan lois melba nancy
  olga paula`)

export const CITIES = list(`
  Paris Lyon Berlin Hamburg Madrid Sevilla Lisbon Porto Rome Milan Vienna Graz Prague Brno Warsaw Gdansk Oslo Bergen
  Helsinki Turku Athens Patras Dublin Cork Bern Basel Ghent Bruges Riga Tartu Sofia Varna Split Zadar Kyoto Osaka Quito
  Lima Bogota Cusco`)

export const SYMBOLS = list(`
  parseHeader toMoney slugify withRetry debounce chunk flatten zipWith groupBy isEmpty toCsv fromCsv readLines hashFile
  openSocket drain backoff jitter clampRange lerp easeOut hexToRgb mixColors trimPath joinUrl encodeQuery stripTags
  escapeHtml pluralize ordinal truncate capitalize sumBy medianOf variance toRoman leapYear weekOf daysIn addMonths`)
