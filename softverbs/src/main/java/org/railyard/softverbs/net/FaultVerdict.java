package org.railyard.softverbs.net;

/**
 * What the fault rules make of one message.
 *
 * @param dropped does not arrive
 * @param duplicated arrives twice
 * @param rejected is rejected
 * @param delayNanos how much later it arrives, ns
 */
public record FaultVerdict(boolean dropped, boolean duplicated, boolean rejected, long delayNanos) {
    static final FaultVerdict NOTHING = new FaultVerdict(false, false, false, 0);
    static final FaultVerdict LOST = new FaultVerdict(true, false, false, 0);
}
