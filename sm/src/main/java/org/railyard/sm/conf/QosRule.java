package org.railyard.sm.conf;

import java.util.List;

/**
 * A rule of a QoS policy. A request matches if it agrees with everything that the rule names; what the rule names and
 * the request does not tell, does not agree.
 *
 * @param sources groups of which one has the source; empty for any port
 * @param destinations the same for the destination
 * @param pKeys P_Keys, 15 bits; empty for any
 * @param classes QoS classes; empty for any
 * @param services service IDs; empty for any
 * @param level what paths get
 */
public record QosRule(
        List<QosPortGroup> sources,
        List<QosPortGroup> destinations,
        List<QosRange> pKeys,
        List<QosRange> classes,
        List<QosRange> services,
        QosLevel level) {
    private static final int PARTITION = 0x7FFF;

    /** Takes copies. */
    public QosRule {
        sources = List.copyOf(sources);
        destinations = List.copyOf(destinations);
        pKeys = List.copyOf(pKeys);
        classes = List.copyOf(classes);
        services = List.copyOf(services);
    }

    /**
     * Tells whether a request agrees, ends aside.
     *
     * @param pKey P_Key that is asked for, 0 for none
     * @param qosClass QoS class, −1 for none
     * @param hasService whether a service ID is told
     * @param service the service ID
     */
    public boolean agrees(int pKey, int qosClass, boolean hasService, long service) {
        return (pKeys.isEmpty() || pKey != 0 && QosRange.anyHas(pKeys, pKey & PARTITION))
                && (classes.isEmpty() || qosClass >= 0 && QosRange.anyHas(classes, qosClass))
                && (services.isEmpty() || hasService && QosRange.anyHas(services, service));
    }
}
