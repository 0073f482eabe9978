export { listPrices, type PriceList, toPriceList } from './list.js'
export { costOf, type Price, type Rates, type Usage } from './price.js'
