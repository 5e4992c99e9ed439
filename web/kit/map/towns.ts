import type { UkPlace } from '#contract/search/uk-places.ts';

// Cities and towns, the largest first: by the number of postcode districts within 10 km, with an advance for cities. Those
// of the Republic of Ireland stand beside towns of about their population.
const LINES = `
London|Dublin|Birmingham|Liverpool|Manchester|Salford|Glasgow|West Bromwich|Kingston upon Thames|Bradford|
Croydon|Leeds|Newcastle upon Tyne|Bromley|Belfast|Bristol|Edinburgh|Cork|Sheffield|Wolverhampton|Birkenhead|
Milton Keynes|Sale|Stockport|Bootle|St Albans|Sunderland|Dudley|Wallasey|Kingston upon Hull|Romford|Southampton|
Limerick|Galway|Halesowen|Portsmouth|Aberdeen|Nottingham|Plymouth|Wakefield|Walsall|Cardiff|Dartford|Leicester|
Lisburn|Oldham|Paisley|Southend-on-Sea|Coventry|Gateshead|Norwich|Stoke-on-Trent|York|Waterford|Derby|Doncaster|
Solihull|Washington|Bangor (Wales)|Brighton|Cambridge|Oxford|Peterborough|Stirling|Swansea|Watford|Colchester|
Dundee|Durham|Drogheda|Dundalk|Exeter|Preston|Sutton Coldfield|Worcester|Batley|Canterbury|Carlisle|Chester|
Gloucester|Lincoln|Newport|St Asaph|Bangor (Northern Ireland)|Bath|Bournemouth|Chelmsford|Chichester|Inverness|
Lancaster|Kilkenny|Sligo|Letterkenny|Lichfield|Staines|Truro|Winchester|Wrexham|Dunfermline|Hereford|Rotherham|
Salisbury|South Shields|Wells|Armagh|Derry|Ely|Halifax|Perth|Athlone|Tralee|Wexford|Bray|Navan|Ennis|Carlow|
Cheshunt|Dewsbury|Farnborough|Huddersfield|Middlesbrough|Newry|Ripon|Stockton-on-Tees|Bury|Gravesend|Poole|
St Davids|Stourbridge|Woking|Bolton|East Kilbride|Grays|Newtownabbey|Bracknell|Gosport|St Helens|Wigan|
Aldershot|Brentwood|Fareham|Hemel Hempstead|Widnes|Windsor|Basildon|Cannock|Rochdale|Slough|Eastleigh|Harlow|
Naas|Mullingar|Clonmel|Portlaoise|Tullamore|Killarney|Castlebar|Swords|Havant|High Wycombe|Keighley|Reading|
Reigate|Telford|Welwyn Garden City|Chatham|Guildford|Hamilton|Ipswich|Livingston|Maidstone|Motherwell|Redhill|
Runcorn|Castleford|Chesterfield|Ellesmere Port|Grimsby|Long Eaton|Swindon|Worthing|Blackpool|Bromsgrove|Cwmbran|
Gillingham|Hastings|Hove|Luton|Maidenhead|Neath|Newcastle-under-Lyme|Northampton|Redditch|Royal Tunbridge Wells|
Stevenage|Torquay|Warrington|Barnsley|Basingstoke|Bridgend|Craigavon|Cumbernauld|Dunstable|Eastbourne|Falkirk|
Hinckley|Kirkcaldy|Llandudno|Mansfield|Margate|Paignton|Pontefract|Royal Leamington Spa|Yeovil|Aylesbury|Arklow|
Longford|Cavan|Monaghan|Nenagh|Ballina|Ayr|Bedford|Blackburn|Burnley|Burton upon Trent|Cheltenham|Hartlepool|
Kidderminster|Kilmarnock|Nuneaton|Shrewsbury|Tamworth|Wellingborough|Ashford|Barrow-in-Furness|Barry|
Bognor Regis|Coleraine|Crewe|Folkestone|Harrogate|Kettering|Llanelli|Morecambe|Northwich|Penzance|Sittingbourne|
Stafford|Weston-super-Mare|Banbury|Clacton-on-Sea|Corby|Crawley|Darlington|Rugby|Scarborough|Scunthorpe|Stroud|
Taunton|Weymouth|Aberystwyth|Ballymena|Braintree|Enniskillen|Great Yarmouth|Horsham|King's Lynn|Loughborough|
Lowestoft|Macclesfield|Omagh|Southport|Stratford-upon-Avon|Fort William`;

// Not among the places of the search, which are those of the UK.
const IRISH_TOWNS = `
Dublin|53.3498|-6.2603
Cork|51.8985|-8.4756
Limerick|52.6638|-8.6267
Galway|53.2707|-9.0568
Waterford|52.2593|-7.1101
Drogheda|53.7179|-6.3561
Dundalk|54.0019|-6.4058
Swords|53.4597|-6.2181
Bray|53.2028|-6.0983
Navan|53.6528|-6.6814
Kilkenny|52.6541|-7.2448
Ennis|52.8463|-8.9807
Carlow|52.8408|-6.9261
Tralee|52.2704|-9.7026
Naas|53.2205|-6.6593
Athlone|53.4239|-7.9407
Letterkenny|54.9558|-7.7342
Sligo|54.2766|-8.4761
Mullingar|53.5258|-7.3381
Wexford|52.3369|-6.4633
Clonmel|52.3550|-7.7039
Killarney|52.0599|-9.5044
Castlebar|53.8550|-9.2988
Tullamore|53.2739|-7.4888
Portlaoise|53.0344|-7.2998
Arklow|52.7930|-6.1420
Longford|53.7269|-7.7998
Cavan|53.9908|-7.3606
Monaghan|54.2492|-6.9683
Nenagh|52.8619|-8.1967
Ballina|54.1149|-9.1551`;

export type Town = Pick<UkPlace, 'name' | 'latitude' | 'longitude'>;

/** Where two names overlap on the map, the first is shown. */
export async function loadTowns(): Promise<Town[]> {
  const { UK_PLACES } = await import('#contract/search/uk-places.ts');
  const byName = new Map([...UK_PLACES, ...parseIrishTowns()].map((town): [string, Town] => [town.name, town]));
  return LINES.trim()
    .split(/[|\n]+/)
    .flatMap((name) => byName.get(name) ?? []);
}

const parseIrishTowns = (): Town[] =>
  IRISH_TOWNS.trim()
    .split('\n')
    .map((line) => {
      const [name = '', latitude, longitude] = line.split('|');
      return { name, latitude: Number(latitude), longitude: Number(longitude) };
    });
