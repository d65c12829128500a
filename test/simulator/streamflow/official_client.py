"""Drives the service's official Python client, unmodified, and prints what it got as one JSON object.

Wants the client and its imports on PYTHONPATH, and SIMULATOR_URL.
"""

import contextlib
import json
import logging
import os
import sys
import warnings

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")

import dataretrieval  # noqa: E402
from dataretrieval import ngwmn, nwdc, streamstats, waterdata  # noqa: E402

BASE = os.environ["SIMULATOR_URL"]
SITES = [f"USGS-{1_000_000 + n:08d}" for n in range(4)]


def observations(frame):
    """Rows as site, time in epoch milliseconds, value or None."""
    times = frame["time"].astype("datetime64[ns]") if frame["time"].dt.tz is None else frame["time"].dt.tz_convert("UTC")
    stamps = [int(time.timestamp() * 1000) for time in times]
    values = [None if value != value else float(value) for value in frame["value"]]
    return sorted(zip(frame["monitoring_location_id"], stamps, values), key=lambda row: row[:2])


def words(frame, column):
    return sorted(str(value) for value in frame[column].tolist())


def main():
    found = {}
    found["daily"] = observations(
        waterdata.get_daily(SITES, parameter_code="00060", statistic_id="00003", time="2019-01-01/2021-12-31", limit=1000)[0]
    )
    found["continuous"] = observations(
        waterdata.get_continuous(SITES[0], parameter_code="00060", time="2024-01-01T00:00:00Z/2024-01-10T00:00:00Z")[0]
    )
    sites, _ = waterdata.get_monitoring_locations(state="Alabama", site_type="Stream")
    found["sites"] = words(sites, "monitoring_location_id")
    found["chosen"] = words(waterdata.get_monitoring_locations(monitoring_location_id=SITES)[0], "monitoring_location_id")
    found["series"] = words(waterdata.get_time_series_metadata(SITES)[0], "time_series_id")
    found["combined"] = words(waterdata.get_combined_metadata(monitoring_location_id=SITES[0])[0], "data_type")
    found["latest daily"] = len(waterdata.get_latest_daily(SITES)[0])
    found["latest continuous"] = len(waterdata.get_latest_continuous(SITES)[0])
    found["field"] = len(waterdata.get_field_measurements(monitoring_location_id=SITES[0], parameter_code="00060")[0])
    found["field series"] = words(waterdata.get_field_measurements_metadata(SITES)[0], "parameter_code")
    found["channel"] = len(waterdata.get_channel(SITES[0])[0])
    found["peaks"] = words(waterdata.get_peaks(SITES[0], parameter_code="00060")[0], "water_year")
    found["states"] = len(waterdata.get_reference_table("states")[0])
    found["parameters"] = len(waterdata.get_reference_table("parameter-codes", limit=10_000)[0])
    found["queryables"] = words(waterdata.get_queryables("daily")[0], "queryable")
    cql = {
        "op": "and",
        "args": [
            {"op": "in", "args": [{"property": "monitoring_location_id"}, SITES[:2]]},
            {"op": "in", "args": [{"property": "parameter_code"}, ["00060", "00065"]]},
            {"op": ">=", "args": [{"property": "time"}, "2024-12-01"]},
            {"op": "<=", "args": [{"property": "time"}, "2024-12-31"]},
        ],
    }
    found["cql"] = len(waterdata.get_cql("daily", cql, limit=50)[0])
    like = {"op": "like", "args": [{"property": "hydrologic_unit_code"}, "0301%"]}
    found["like"] = words(waterdata.get_cql("monitoring-locations", like)[0], "hydrologic_unit_code")
    nearest, _ = waterdata.get_nearest_continuous(
        ["2020-05-01T10:07:00Z", "2023-05-01T10:16:00Z"], monitoring_location_id=SITES[0], parameter_code="00060"
    )
    found["nearest"] = sorted(time.isoformat() for time in nearest["time"])
    normals, _ = waterdata.get_stats_por(
        monitoring_location_id=SITES[0], parameter_code="00060", start_date="01-01", end_date="01-02", expand_percentiles=True
    )
    found["normals"] = sorted({str(value) for value in normals["computation"]})
    found["normal rows"] = len(normals)
    intervals, _ = waterdata.get_stats_date_range(
        monitoring_location_id=SITES[0], parameter_code="00060", start_date="2023-01-01", end_date="2023-12-31", computation_type="maximum"
    )
    found["intervals"] = words(intervals, "interval_type")
    ratings = waterdata.get_ratings(monitoring_location_id=[SITES[0], SITES[2]], file_type=["exsa", "base"])
    found["ratings"] = {name: [list(frame.columns), len(frame)] for name, frame in sorted(ratings.items())}
    found["well sites"] = len(ngwmn.get_sites()[0])
    levels, _ = ngwmn.get_water_level("MBMG-702934", datetime=["2022-01-01", "2022-12-31"])
    found["levels"] = len(levels)
    found["use"] = len(nwdc.get_wateruse("wu-public-supply-wd", variable="pswdtot", state="RI", start_date="2020-01", limit=15)[0])
    found["watershed"] = [item["code"] for item in streamstats.get_watershed("NY", -74.524, 43.939, format="object").parameters]
    print(json.dumps(found))


with contextlib.ExitStack() as stack:
    stack.enter_context(contextlib.redirect_stderr(open(os.devnull, "w")) if "-v" not in sys.argv else contextlib.nullcontext())
    stack.enter_context(
        dataretrieval.configure(
            waterdata.WaterdataConfiguration(base_url=BASE),
            ngwmn.NgwmnConfiguration(base_url=f"{BASE}/ngwmn/ogcapi"),
            nwdc.NwdcConfiguration(base_url=f"{BASE}/nwaa-data/data"),
            streamstats.StreamstatsConfiguration(base_url=f"{BASE}/streamstatsservices"),
        )
    )
    main()
