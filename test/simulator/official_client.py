"""Drives the service's official Python client, unmodified, and prints what it got as one JSON object.

Wants the client and its imports on PYTHONPATH, and WATTTIME_API_URL, WATTTIME_USER and WATTTIME_PASSWORD.
"""

import contextlib
import json
import logging
import os
import sys
from datetime import date

from watttime import WattTimeForecast, WattTimeHistorical, WattTimeMaps, WattTimeMarginalFuelMix, WattTimeMyAccess

logging.disable(logging.CRITICAL)

START, END = "2024-01-01", "2024-03-01"


def rows(frame):
    """A frame with times in epoch milliseconds."""
    return [[int(time.timestamp() * 1000), value] for time, value in zip(frame["point_time"], frame["value"])]


def main():
    historical = WattTimeHistorical()
    region = historical.region_from_loc(39.7522, -105.0)
    found = {"region": region, "historical": rows(historical.get_historical_pandas(START, END, region["region"]))}

    threaded = WattTimeHistorical(multithreaded=True, worker_count=4, rate_limit=50)
    found["threaded"] = rows(threaded.get_historical_pandas(START, END, region["region"]))
    found["older"] = rows(threaded.get_historical_pandas(START, "2024-01-02", "PSCO", model=date(2023, 3, 1)))
    found["hourly"] = rows(threaded.get_historical_pandas(START, "2024-01-02", "CAISO", "co2_aoer"))

    access = WattTimeMyAccess().get_access_pandas()
    found["signals"] = sorted(access["signal_type"].unique().tolist())
    found["data_start"] = access["data_start"].min().isoformat()

    forecast = WattTimeForecast()
    found["horizons"] = [len(forecast.get_forecast_pandas("PSCO", horizon_hours=hours)) for hours in (0, 24, 72)]
    runs = forecast.get_historical_forecast_pandas("2024-01-01", "2024-01-03", "PSCO", horizon_hours=1)
    found["runs"] = [[int(made.timestamp() * 1000), *row] for made, row in zip(runs["generated_at"], rows(runs))]
    chosen = forecast.get_historical_forecast_pandas_list([date(2024, 1, 5), date(2024, 2, 5)], "PSCO", horizon_hours=0)
    found["chosen"] = len(chosen)

    found["maps"] = len(WattTimeMaps().get_maps_json("co2_moer")["features"])
    mix = WattTimeMarginalFuelMix().get_fuel_mix_pandas("2026-01-01", "2026-02-15", "PSCO")
    found["mix"] = {"rows": len(mix), "lowest": float(mix.sum(axis=1).min()), "highest": float(mix.sum(axis=1).max())}

    os.environ.update(WATTTIME_USER="newcomer", WATTTIME_PASSWORD="N3w-comer!")
    WattTimeMarginalFuelMix().register("newcomer@example.org")
    newcomer = WattTimeMarginalFuelMix()
    with contextlib.redirect_stdout(sys.stderr):
        found["refused"] = newcomer.get_fuel_mix_jsons("2026-01-01", "2026-01-02", "PSCO")
    print(json.dumps(found))


main()
