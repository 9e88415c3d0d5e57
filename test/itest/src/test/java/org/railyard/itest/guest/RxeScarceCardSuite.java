package org.railyard.itest.guest;

import org.railyard.conformance.bond.ScarceCardContract;
import org.railyard.conformance.bond.ScarceCards;

/** The cgroup of the nodes may have no more objects of {@code rxe0}; run in the guest, in that cgroup. */
class RxeScarceCardSuite extends ScarceCardContract {
    @Override
    protected ScarceCards open() {
        return new RxeScarce(false);
    }
}
