package org.railyard.lnet.api;

/**
 * How a PUT with ACK ended well.
 *
 * @param mlength bytes that the target stored
 */
public record PutResult(int mlength) {}
