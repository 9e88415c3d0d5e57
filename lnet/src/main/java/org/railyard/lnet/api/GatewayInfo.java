package org.railyard.lnet.api;

import java.time.Duration;
import org.railyard.lnet.nid.Nid;

/**
 * A gateway as it is now (spec 11 §6.3, §6.4).
 *
 * @param primaryNid its identity
 * @param alive whether the last check found it, or it has forwarded since
 * @param since how long ago that changed
 * @param checking whether a check is under way
 * @param checked whether a check has ended since it has routes
 * @param forwards whether it says that it forwards
 * @param routes how many routes lead through it
 */
public record GatewayInfo(
        Nid primaryNid,
        boolean alive,
        Duration since,
        boolean checking,
        boolean checked,
        boolean forwards,
        int routes) {}
