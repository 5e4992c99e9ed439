import type { UkPlace } from '#contract/search/uk-places.ts';

// Cities and towns, the largest first: by the number of postcode districts within 10 km, with an advance for cities.
const LINES = `
London|Birmingham|Liverpool|Manchester|Salford|Glasgow|West Bromwich|Kingston upon Thames|Bradford|Croydon|
Leeds|Newcastle upon Tyne|Bromley|Belfast|Bristol|Edinburgh|Sheffield|Wolverhampton|Birkenhead|Milton Keynes|
Sale|Stockport|Bootle|St Albans|Sunderland|Dudley|Wallasey|Kingston upon Hull|Romford|Southampton|Halesowen|
Portsmouth|Aberdeen|Nottingham|Plymouth|Wakefield|Walsall|Cardiff|Dartford|Leicester|Lisburn|Oldham|Paisley|
Southend-on-Sea|Coventry|Gateshead|Norwich|Stoke-on-Trent|York|Derby|Doncaster|Solihull|Washington|
Bangor (Wales)|Brighton|Cambridge|Oxford|Peterborough|Stirling|Swansea|Watford|Colchester|Dundee|Durham|Exeter|
Preston|Sutton Coldfield|Worcester|Batley|Canterbury|Carlisle|Chester|Gloucester|Lincoln|Newport|St Asaph|
Bangor (Northern Ireland)|Bath|Bournemouth|Chelmsford|Chichester|Inverness|Lancaster|Lichfield|Staines|Truro|
Winchester|Wrexham|Dunfermline|Hereford|Rotherham|Salisbury|South Shields|Wells|Armagh|Derry|Ely|Halifax|Perth|
Cheshunt|Dewsbury|Farnborough|Huddersfield|Middlesbrough|Newry|Ripon|Stockton-on-Tees|Bury|Gravesend|Poole|
St Davids|Stourbridge|Woking|Bolton|East Kilbride|Grays|Newtownabbey|Bracknell|Gosport|St Helens|Wigan|
Aldershot|Brentwood|Fareham|Hemel Hempstead|Widnes|Windsor|Basildon|Cannock|Rochdale|Slough|Eastleigh|Harlow|
Havant|High Wycombe|Keighley|Reading|Reigate|Telford|Welwyn Garden City|Chatham|Guildford|Hamilton|Ipswich|
Livingston|Maidstone|Motherwell|Redhill|Runcorn|Castleford|Chesterfield|Ellesmere Port|Grimsby|Long Eaton|
Swindon|Worthing|Blackpool|Bromsgrove|Cwmbran|Gillingham|Hastings|Hove|Luton|Maidenhead|Neath|
Newcastle-under-Lyme|Northampton|Redditch|Royal Tunbridge Wells|Stevenage|Torquay|Warrington|Barnsley|
Basingstoke|Bridgend|Craigavon|Cumbernauld|Dunstable|Eastbourne|Falkirk|Hinckley|Kirkcaldy|Llandudno|Mansfield|
Margate|Paignton|Pontefract|Royal Leamington Spa|Yeovil|Aylesbury|Ayr|Bedford|Blackburn|Burnley|
Burton upon Trent|Cheltenham|Hartlepool|Kidderminster|Kilmarnock|Nuneaton|Shrewsbury|Tamworth|Wellingborough|
Ashford|Barrow-in-Furness|Barry|Bognor Regis|Coleraine|Crewe|Folkestone|Harrogate|Kettering|Llanelli|Morecambe|
Northwich|Penzance|Sittingbourne|Stafford|Weston-super-Mare|Banbury|Clacton-on-Sea|Corby|Crawley|Darlington|
Rugby|Scarborough|Scunthorpe|Stroud|Taunton|Weymouth|Aberystwyth|Ballymena|Braintree|Enniskillen|Great Yarmouth|
Horsham|King's Lynn|Loughborough|Lowestoft|Macclesfield|Omagh|Southport|Stratford-upon-Avon|Fort William`;

/** Where two names overlap on the map, the first is shown. */
export async function loadTowns(): Promise<UkPlace[]> {
  const { UK_PLACES } = await import('#contract/search/uk-places.ts');
  const byName = new Map(UK_PLACES.map((place) => [place.name, place]));
  return LINES.trim()
    .split(/[|\n]+/)
    .flatMap((name) => byName.get(name) ?? []);
}
