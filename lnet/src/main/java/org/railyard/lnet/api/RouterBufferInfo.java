package org.railyard.lnet.api;

/**
 * The router buffers of one size on one CPU partition.
 *
 * @param cpt the CPU partition
 * @param size their size
 * @param buffers how many there are
 * @param credits how many are free; below 0 that many messages wait for one
 * @param minCredits the least that {@code credits} ever was
 */
public record RouterBufferInfo(int cpt, RouterBufferSize size, int buffers, int credits, int minCredits) {}
