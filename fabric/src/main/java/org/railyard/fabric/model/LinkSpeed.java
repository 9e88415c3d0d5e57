package org.railyard.fabric.model;

/** Speed of one lane of a link. */
public enum LinkSpeed {
    /** 2.5 Gb/s. */
    SDR,
    /** 5 Gb/s. */
    DDR,
    /** 10 Gb/s. */
    QDR,
    /** 10 Gb/s with the coding of FDR. */
    FDR10,
    /** 14 Gb/s. */
    FDR,
    /** 25 Gb/s. */
    EDR,
    /** 50 Gb/s. */
    HDR,
    /** 100 Gb/s. */
    NDR,
    /** Not told. */
    UNKNOWN
}
