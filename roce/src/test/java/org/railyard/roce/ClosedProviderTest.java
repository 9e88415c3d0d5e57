package org.railyard.roce;

import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** What peers hear when a provider is closed with its connections. */
class ClosedProviderTest {
    @Test
    @Requirement("sv-040")
    void peersAreToldThatTheirConnectionsEnd() {
        try (StreamPair pair = new StreamPair(64)) {
            pair.run(1);
            pair.leave();
        }
    }
}
