package org.railyard.lnet.api;

/**
 * How a GET ended well.
 *
 * @param mlength bytes that arrived
 */
public record GetResult(int mlength) {}
