package org.railyard.itest.guest;

import org.railyard.conformance.bond.ScarceCardContract;
import org.railyard.conformance.bond.ScarceCards;

/**
 * The nodes may lock no more memory when one of them is asked for a connection; run in the guest with a limit of 32 MiB
 * and without {@code CAP_IPC_LOCK}.
 */
class RxeScarceMemorySuite extends ScarceCardContract {
    @Override
    protected ScarceCards open() {
        return new RxeScarce(true);
    }
}
