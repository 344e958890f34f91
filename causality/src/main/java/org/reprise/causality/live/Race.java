package org.reprise.causality.live;

import org.reprise.causality.races.RacingSite;

/**
 * A receive or probe could have got another message. Numbers of events are those of their ranks,
 * sites are lines of the ranks' tables of call sites.
 *
 * @param receives how many receives of this site race now that did not so far: 0 or 1, or more if
 *     they were counted together
 * @param alternatives how many receives of this site could have got this message
 */
public record Race(
    int rank,
    long receive,
    RacingSite.Kind kind,
    int site,
    int sender,
    long send,
    int sendSite,
    long receives,
    long alternatives) {}
