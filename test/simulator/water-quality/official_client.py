"""Drives the official Python client's Portal and Samples functions, unmodified, and prints what it got as one JSON object.

Wants the client and its imports on PYTHONPATH, and SIMULATOR_URL.
"""

import json
import math
import os
import warnings

import dataretrieval
from dataretrieval import wqp
from dataretrieval.waterdata import WaterdataConfiguration, get_codes, get_samples, get_samples_summary
from dataretrieval.wqp import WqpConfiguration

warnings.simplefilter("ignore")

URL = os.environ["SIMULATOR_URL"]
SITES = ["USGS-05510007", "WIDNR_WQX-10001"]
SPAN = {"startDateLo": "01-01-2022", "startDateHi": "12-31-2022"}


def instants(column):
    """Instants in epoch milliseconds; null where there is none."""
    return [None if value is None or value != value else int(value.timestamp() * 1000) for value in column]


def plain(value):
    return None if isinstance(value, float) and math.isnan(value) else value


def results(frame, names):
    """Rows as lists: the instant, then the named columns as text."""
    columns = [instants(frame[names[0]])] + [[plain(value) for value in frame[name].tolist()] for name in names[1:]]
    return [list(row) for row in zip(*columns)]


def shape(answer):
    frame, _ = answer
    return {"rows": len(frame), "columns": frame.columns.tolist()}


def portal(found):
    legacy, meta = wqp.get_results(siteid=SITES, dataProfile="resultPhysChem", **SPAN)
    names = ["ActivityStartDateTime", "ResultIdentifier", "USGSPCode", "ResultMeasureValue"]
    found["legacy"] = results(legacy, names)
    found["announced"] = meta.header["Total-Result-Count"]
    found["site_info"] = meta.site_info[0]["MonitoringLocationIdentifier"].tolist()

    names = ["Activity_StartDateTime", "Result_MeasureIdentifier", "USGSpcode", "Result_Measure"]
    for profile in ("fullPhysChem", "narrow"):
        newer, _ = wqp.get_results(legacy=False, siteid=SITES, dataProfile=profile, **SPAN)
        found[profile] = results(newer, names)
    zones, _ = wqp.get_results(siteid="SPECIMEN_WQX-ZONES")
    pairs = zip(zones["ActivityStartTime/TimeZoneCode"], instants(zones["ActivityStartDateTime"]))
    found["zones"] = {str(zone): instant for zone, instant in pairs}

    area = {"countycode": "US:55:025", **SPAN}
    found["tables"] = {
        "sites": shape(wqp.what_sites(**area)),
        "sites_newer": shape(wqp.what_sites(legacy=False, **area)),
        "organizations": shape(wqp.what_organizations(**area)),
        "projects": shape(wqp.what_projects(**area)),
        "activities": shape(wqp.what_activities(**area)),
        "activities_newer": shape(wqp.what_activities(legacy=False, **area)),
        "detection_limits": shape(wqp.what_detection_limits(**area)),
        "habitat_metrics": shape(wqp.what_habitat_metrics(**area)),
        "project_weights": shape(wqp.what_project_weights(**area)),
        "activity_metrics": shape(wqp.what_activity_metrics(**area)),
    }
    try:
        wqp.get_results(siteid="040851385")
    except Exception as error:
        found["refused"] = [type(error).__name__, str(error).split(" (URL")[0]]


def samples(found):
    span = {"activity_start_date_lower": "2022-01-01", "activity_start_date_upper": "2022-12-31"}
    frame, _ = get_samples(monitoring_location_id=SITES[:1], **span)
    found["samples"] = results(frame, ["Activity_StartDateTime", "Result_MeasureIdentifier", "Result_Measure"])
    found["samples_columns"] = len(frame.columns)
    box, _ = get_samples(service="locations", profile="site", bbox=[-89.6, 42.7, -88.9, 43.6])
    found["box"] = sorted(box["Location_Identifier"])
    summary, _ = get_samples_summary(SITES[0])
    found["summary"] = int(summary["resultCount"].sum())
    found["codes"] = {name: len(get_codes(name)[0]) for name in (
        "states", "counties", "countries", "sitetype", "samplemedia", "characteristicgroup", "characteristics",
        "observedproperty",
    )}


def main():
    found = {}
    with dataretrieval.configure(WqpConfiguration(base_url=URL), WaterdataConfiguration(base_url=URL)):
        portal(found)
        samples(found)
    print(json.dumps(found))


main()
