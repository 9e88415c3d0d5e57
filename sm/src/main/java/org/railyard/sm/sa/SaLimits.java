package org.railyard.sm.sa;

import org.railyard.mad.wire.Mad;

/**
 * What subnet administration holds and answers at most.
 *
 * @param answerBytes records of one answer, bytes
 * @param memberships ports in multicast groups, all groups together
 * @param membershipsPerPort groups that one port is in
 * @param services registered services
 * @param servicesPerPort services that one port registered
 * @param subscriptions subscriptions to notices
 * @param subscriptionsPerPort subscriptions of one port
 * @param reports reports that wait for their confirmation
 * @param aliases alias GUIDs, all ports together; each port has as many as its GUIDCap allows
 */
public record SaLimits(
        int answerBytes,
        int memberships,
        int membershipsPerPort,
        int services,
        int servicesPerPort,
        int subscriptions,
        int subscriptionsPerPort,
        int reports,
        int aliases) {
    /**
     * 16 MiB; 262,144 memberships, 4,096 of a port; 65,536 services and subscriptions, 64 of a port; 262,144
     * reports and alias GUIDs.
     */
    public static final SaLimits DEFAULT =
            new SaLimits(16 << 20, 1 << 18, 4096, 1 << 16, 64, 1 << 16, 64, 1 << 18, 1 << 18);

    /** Records of subscriptions have a number of 16 bits. */
    private static final int MAX_ENUM = 0xFFFF;

    /** Checks the ranges. */
    public SaLimits {
        if (answerBytes < Mad.SA_DATA_SIZE || answerBytes > Mad.MAX_MESSAGE - Mad.SA_DATA) {
            throw new IllegalArgumentException("answers of %d bytes; %d to %d expected"
                    .formatted(answerBytes, Mad.SA_DATA_SIZE, Mad.MAX_MESSAGE - Mad.SA_DATA));
        }
        int least = Math.min(
                Math.min(Math.min(memberships, membershipsPerPort), Math.min(services, servicesPerPort)),
                Math.min(Math.min(subscriptions, subscriptionsPerPort), Math.min(reports, aliases)));
        if (least < 1 || subscriptionsPerPort > MAX_ENUM) {
            throw new IllegalArgumentException(
                    "the least limit is %d, and %d subscriptions of a port; 1 or more, and at most %d expected"
                            .formatted(least, subscriptionsPerPort, MAX_ENUM));
        }
    }
}
