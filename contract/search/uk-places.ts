type PlaceKind = 'city' | 'town' | 'county' | 'region';

export interface UkPlace {
  name: string;
  /** Other names that users search for. */
  aliases: string[];
  kind: PlaceKind;
  latitude: number;
  longitude: number;
}

// From GeoNames (CC BY 4.0): name, aliases, kind, latitude, longitude. Compact, because the search screen loads it.
const LINES = `
Aberdeen||city|57.1437|-2.0981
Aberdeenshire||county|57.32|-2.33
Aberystwyth||town|52.4155|-4.0829
Aldershot||town|51.2483|-0.7639
Anglesey||county|53.30|-4.36
Angus||county|56.62|-2.74
Argyll and Bute||county|55.97|-5.17
Armagh||city|54.3500|-6.6667
Ashford||town|51.1465|0.8738
Aylesbury||town|51.8167|-0.8146
Ayr||town|55.4627|-4.6339
Ayrshire||county|55.57|-4.59
Ballymena||town|54.8636|-6.2763
Banbury||town|52.0632|-1.3422
Bangor (Northern Ireland)||city|54.6534|-5.6689
Bangor (Wales)||city|53.2275|-4.1294
Barnsley||town|53.5500|-1.4833
Barrow-in-Furness||town|54.1109|-3.2276
Barry||town|51.3998|-3.2838
Basildon||town|51.5684|0.4578
Basingstoke||town|51.2625|-1.0871
Bath||city|51.3751|-2.3617
Batley||town|53.7029|-1.6337
Bedford||town|52.1346|-0.4663
Bedfordshire||county|52.06|-0.45
Belfast||city|54.5968|-5.9254
Berkshire||county|51.46|-0.94
Birkenhead||town|53.3934|-3.0148
Birmingham||city|52.4814|-1.8998
Blackburn||town|53.7500|-2.4833
Blackpool||town|53.8167|-3.0500
Bognor Regis||town|50.7821|-0.6798
Bolton||town|53.5833|-2.4333
Bootle||town|53.4667|-3.0167
Bournemouth||town|50.7205|-1.8795
Bracknell||town|51.4136|-0.7505
Bradford||city|53.7939|-1.7521
Braintree||town|51.8782|0.5529
Brentwood||town|51.6213|0.3056
Bridgend||town|51.5058|-3.5772
Brighton|Brighton and Hove|city|50.8284|-0.1395
Bristol||city|51.4552|-2.5966
Bromley||town|51.4061|0.0152
Bromsgrove||town|52.3357|-2.0598
Buckinghamshire||county|51.85|-0.73
Burnley||town|53.8000|-2.2333
Burton upon Trent||town|52.8073|-1.6426
Bury||town|53.6000|-2.3000
Cambridge||city|52.2000|0.1167
Cambridgeshire||county|52.36|-0.05
Cannock||town|52.6904|-2.0309
Canterbury||city|51.2790|1.0799
Cardiff||city|51.4800|-3.1800
Carlisle||city|54.8951|-2.9382
Carmarthenshire||county|51.84|-4.21
Castleford||town|53.7259|-1.3626
Ceredigion||county|52.24|-4.21
Chatham||town|51.3789|0.5279
Chelmsford||city|51.7358|0.4696
Cheltenham||town|51.9001|-2.0797
Cheshire||county|53.24|-2.58
Cheshunt||town|51.7002|-0.0303
Chester||city|53.1905|-2.8919
Chesterfield||town|53.2500|-1.4167
Chichester||city|50.8367|-0.7800
Clacton-on-Sea||town|51.7897|1.1560
Colchester||city|51.8892|0.9042
Coleraine||town|55.1333|-6.6667
Conwy||county|53.24|-3.77
Corby||town|52.4964|-0.6894
Cornwall||county|50.37|-4.87
County Antrim||county|54.77|-6.09
County Armagh||county|54.38|-6.39
County Down||county|54.37|-5.83
County Durham||county|54.69|-1.65
County Fermanagh and Tyrone|County Fermanagh;County Tyrone|county|54.44|-7.48
County Londonderry||county|55.03|-6.83
Coventry||city|52.4066|-1.5122
Craigavon||town|54.4471|-6.3870
Crawley||town|51.1130|-0.1831
Crewe||town|53.0979|-2.4416
Croydon||town|51.3833|-0.1000
Cumbernauld||town|55.9468|-3.9905
Cumbria||county|54.54|-3.07
Cwmbran||town|51.6545|-3.0228
Darlington||town|54.5243|-1.5504
Dartford||town|51.4466|0.2142
Denbighshire||county|53.17|-3.39
Derby||city|52.9228|-1.4766
Derbyshire||county|53.12|-1.52
Derry|Londonderry|city|54.9981|-7.3093
Devon||county|50.67|-3.70
Dewsbury||town|53.6908|-1.6291
Doncaster||city|53.5228|-1.1312
Dorset||county|50.79|-2.25
Dudley||town|52.5000|-2.0833
Dumfries and Galloway||county|55.08|-3.78
Dundee||city|56.4691|-2.9749
Dunfermline||city|56.0716|-3.4589
Dunstable||town|51.8857|-0.5229
Durham||city|54.7768|-1.5757
East Kilbride||town|55.7641|-4.1767
East Lothian||county|55.97|-2.87
East Midlands||region|52.9|-0.9
East Riding of Yorkshire||county|53.84|-0.47
East Sussex||county|50.92|0.25
East of England||region|52.2|0.4
Eastbourne||town|50.7687|0.2845
Eastleigh||town|50.9667|-1.3500
Edinburgh||city|55.9521|-3.1965
Ellesmere Port||town|53.2788|-2.9013
Ely||city|52.3996|0.2620
England||region|52.6|-1.5
Enniskillen||town|54.3462|-7.6413
Essex||county|51.75|0.58
Exeter||city|50.7236|-3.5275
Falkirk||town|56.0021|-3.7854
Fareham||town|50.8516|-1.1793
Farnborough||town|51.2942|-0.7557
Fife||county|56.18|-3.19
Flintshire||county|53.21|-3.13
Folkestone||town|51.0817|1.1673
Fort William||town|56.8165|-5.1121
Gateshead||town|54.9621|-1.6017
Gillingham||town|51.3891|0.5486
Glasgow||city|55.8651|-4.2576
Gloucester||city|51.8657|-2.2431
Gloucestershire||county|51.72|-2.27
Gosport||town|50.7951|-1.1290
Gravesend||town|51.4421|0.3711
Grays||town|51.4757|0.3252
Great Yarmouth||town|52.6083|1.7305
Greater London||county|51.51|-0.13
Greater Manchester||county|53.50|-2.27
Grimsby||town|53.5654|-0.0755
Guildford||town|51.2354|-0.5743
Gwynedd||county|52.96|-4.10
Halesowen||town|52.4486|-2.0494
Halifax||town|53.7167|-1.8500
Hamilton||town|55.7667|-4.0333
Hampshire||county|51.01|-1.23
Harlow||town|51.7766|0.1116
Harrogate||town|53.9908|-1.5373
Hartlepool||town|54.6855|-1.2103
Hastings||town|50.8552|0.5729
Havant||town|50.8567|-0.9856
Hemel Hempstead||town|51.7537|-0.4497
Hereford||city|52.0568|-2.7148
Herefordshire||county|52.09|-2.75
Hertfordshire||county|51.76|-0.29
High Wycombe||town|51.6291|-0.7493
Highland||county|57.60|-4.23
Hinckley||town|52.5389|-1.3761
Horsham||town|51.0631|-0.3276
Hove||town|50.8309|-0.1672
Huddersfield||town|53.6490|-1.7842
Inverness||city|57.4791|-4.2240
Ipswich||town|52.0592|1.1555
Isle of Wight||county|50.68|-1.27
Keighley||town|53.8679|-1.9066
Kent||county|51.27|0.69
Kettering||town|52.3984|-0.7257
Kidderminster||town|52.3882|-2.2500
Kilmarnock||town|55.6117|-4.4958
King's Lynn||town|52.7517|0.3952
Kingston upon Hull|Hull|city|53.7446|-0.3352
Kingston upon Thames||town|51.4126|-0.2974
Kirkcaldy||town|56.1168|-3.1600
Lanarkshire||county|55.80|-3.96
Lancashire||county|53.81|-2.62
Lancaster||city|54.0465|-2.7999
Leeds||city|53.7965|-1.5478
Leicester||city|52.6386|-1.1317
Leicestershire||county|52.66|-1.20
Lichfield||city|52.6815|-1.8255
Lincoln||city|53.2268|-0.5379
Lincolnshire||county|53.24|-0.34
Lisburn||city|54.5234|-6.0353
Liverpool||city|53.4106|-2.9779
Livingston||town|55.9029|-3.5226
Llandudno||town|53.3250|-3.8315
Llanelli||town|51.6820|-4.1619
London||city|51.5085|-0.1257
Long Eaton||town|52.8986|-1.2714
Loughborough||town|52.7667|-1.2000
Lowestoft||town|52.4752|1.7517
Luton||town|51.8797|-0.4175
Macclesfield||town|53.2602|-2.1256
Maidenhead||town|51.5228|-0.7199
Maidstone||town|51.2667|0.5167
Manchester||city|53.4809|-2.2374
Mansfield||town|53.1333|-1.2000
Margate||town|51.3813|1.3862
Merseyside||county|53.43|-2.92
Middlesbrough||town|54.5762|-1.2348
Milton Keynes||city|52.0417|-0.7558
Monmouthshire||county|51.71|-2.85
Moray||county|57.63|-3.19
Morecambe||town|54.0684|-2.8611
Motherwell||town|55.7892|-3.9919
Neath||town|51.6632|-3.8044
Newcastle upon Tyne|Newcastle|city|54.9733|-1.6140
Newcastle-under-Lyme||town|53.0000|-2.2333
Newport||city|51.5877|-2.9983
Newry||city|54.1784|-6.3374
Newtownabbey||town|54.6598|-5.9086
Norfolk||county|52.66|1.04
North East England||region|55.0|-1.9
North West England||region|53.9|-2.7
North Yorkshire||county|54.15|-1.23
Northampton||town|52.2500|-0.8833
Northamptonshire||county|52.29|-0.85
Northern Ireland||region|54.6|-6.7
Northumberland||county|55.24|-1.83
Northwich||town|53.2588|-2.5202
Norwich||city|52.6278|1.2983
Nottingham||city|52.9536|-1.1505
Nottinghamshire||county|53.09|-1.07
Nuneaton||town|52.5232|-1.4652
Oldham||town|53.5405|-2.1183
Omagh||town|54.6000|-7.3000
Oxford||city|51.7522|-1.2560
Oxfordshire||county|51.75|-1.31
Paignton||town|50.4357|-3.5679
Paisley||town|55.8317|-4.4325
Pembrokeshire||county|51.80|-4.92
Penzance||town|50.1186|-5.5371
Perth||city|56.3952|-3.4314
Perth and Kinross||county|56.44|-3.46
Peterborough||city|52.5736|-0.2478
Plymouth||city|50.3715|-4.1430
Pontefract||town|53.6911|-1.3127
Poole||town|50.7143|-1.9846
Portsmouth||city|50.7990|-1.0913
Powys||county|52.36|-3.31
Preston||city|53.7628|-2.7045
Reading||town|51.4562|-0.9711
Redditch||town|52.3065|-1.9457
Redhill||town|51.2405|-0.1704
Reigate||town|51.2374|-0.2058
Ripon||city|54.1358|-1.5283
Rochdale||town|53.6177|-2.1552
Romford||town|51.5752|0.1858
Rotherham||town|53.4301|-1.3568
Royal Leamington Spa|Leamington Spa|town|52.2852|-1.5200
Royal Tunbridge Wells|Tunbridge Wells|town|51.1332|0.2626
Rugby||town|52.3709|-1.2642
Runcorn||town|53.3417|-2.7312
Rutland||county|52.66|-0.64
Sale||town|53.4252|-2.3244
Salford||city|53.4877|-2.2904
Salisbury||city|51.0693|-1.7957
Scarborough||town|54.2797|-0.4044
Scotland||region|56.8|-4.2
Scottish Borders||county|55.64|-2.64
Scunthorpe||town|53.5791|-0.6544
Sheffield||city|53.3830|-1.4659
Shrewsbury||town|52.7101|-2.7521
Shropshire||county|52.67|-2.68
Sittingbourne||town|51.3413|0.7328
Slough||town|51.5095|-0.5954
Solihull||town|52.4143|-1.7809
Somerset||county|51.23|-2.75
South East England||region|51.3|-0.8
South Shields||town|54.9986|-1.4323
South West England||region|50.9|-3.3
South Yorkshire||county|53.49|-1.30
Southampton||city|50.9040|-1.4043
Southend-on-Sea|Southend|city|51.5378|0.7143
Southport||town|53.6458|-3.0101
St Albans|St. Albans|city|51.7500|-0.3333
St Asaph||city|53.2582|-3.4452
St Davids||city|51.8809|-5.2655
St Helens||town|53.4500|-2.7333
Stafford||town|52.8052|-2.1164
Staffordshire||county|52.82|-2.05
Staines|Staines-upon-Thames|town|51.4309|-0.5061
Stevenage||town|51.9022|-0.2026
Stirling||city|56.1190|-3.9368
Stockport||town|53.4098|-2.1576
Stockton-on-Tees||town|54.5685|-1.3187
Stoke-on-Trent|Stoke|city|53.0042|-2.1854
Stourbridge||town|52.4561|-2.1432
Stratford-upon-Avon||town|52.1917|-1.7073
Stroud||town|51.7500|-2.2000
Suffolk||county|52.19|1.04
Sunderland||city|54.9046|-1.3822
Surrey||county|51.28|-0.44
Sutton Coldfield||town|52.5667|-1.8167
Swansea||city|51.6208|-3.9432
Swindon||town|51.5580|-1.7812
Tamworth||town|52.6340|-1.6959
Taunton||town|51.0149|-3.1029
Telford||town|52.6766|-2.4493
Torquay||town|50.4620|-3.5252
Truro||city|50.2653|-5.0544
Tyne and Wear||county|54.96|-1.55
United Kingdom||region|54.0|-2.5
Vale of Glamorgan||county|51.44|-3.37
Wakefield||city|53.6833|-1.4977
Wales||region|52.3|-3.7
Wallasey||town|53.4232|-3.0650
Walsall||town|52.5853|-1.9840
Warrington||town|53.3925|-2.5802
Warwickshire||county|52.33|-1.55
Washington||town|54.9000|-1.5167
Watford||town|51.6553|-0.3960
Wellingborough||town|52.3027|-0.6945
Wells||city|51.2079|-2.6490
Welwyn Garden City||town|51.8017|-0.2069
West Bromwich||town|52.5187|-1.9945
West Lothian||county|55.89|-3.59
West Midlands||county|52.49|-1.90
West Sussex||county|50.95|-0.41
West Yorkshire||county|53.74|-1.63
Weston-super-Mare||town|51.3460|-2.9766
Weymouth||town|50.6145|-2.4599
Widnes||town|53.3618|-2.7341
Wigan||town|53.5430|-2.6371
Wiltshire||county|51.34|-1.97
Winchester||city|51.0651|-1.3187
Windsor||town|51.4833|-0.6000
Woking||town|51.3190|-0.5589
Wolverhampton||city|52.5855|-2.1230
Worcester||city|52.1893|-2.2200
Worcestershire||county|52.23|-2.11
Worthing||town|50.8180|-0.3754
Wrexham||city|53.0466|-2.9913
Yeovil||town|50.9416|-2.6321
York||city|53.9576|-1.0827
Yorkshire and the Humber|Yorkshire|region|53.9|-1.2`;

/** The suggestions of the location box, by name. */
export const UK_PLACES: readonly UkPlace[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [name = '', aliases = '', kind, latitude, longitude] = line.split('|');
    return {
      name,
      aliases: aliases.split(';').filter(Boolean),
      kind: kind as PlaceKind,
      latitude: Number(latitude),
      longitude: Number(longitude),
    };
  });
