package org.railyard.fabric.proof;

import java.util.Optional;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.route.Routing;

/** Verifies certificates of any origin, with what the check says of each destination. */
public final class Verification {
    private Verification() {}

    private static CertificateVerifier verifier(Fabric fabric, Routing routing, CheckOptions options) {
        CertificateVerifier verifier = new CertificateVerifier(fabric, routing, options.switchPorts());
        CreditLoopCheck.check(fabric, routing, options, verifier);
        return verifier;
    }

    /** Returns what does not hold, if all routes have to arrive. */
    public static Optional<String> firstViolation(
            Fabric fabric, Routing routing, CheckOptions options, Certificate certificate) {
        return verifier(fabric, routing, options).firstViolation(certificate);
    }

    /** Returns what does not hold of routes as far as they go. */
    public static Optional<String> firstViolationOfWhatIsRouted(
            Fabric fabric, Routing routing, CheckOptions options, Certificate certificate) {
        return verifier(fabric, routing, options).firstViolationOfWhatIsRouted(certificate);
    }
}
