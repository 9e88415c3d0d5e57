package org.railyard.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.railyard.lnet.api.CompatProfile;
import org.railyard.lnet.api.Settings;
import org.railyard.lnet.api.Tunable;

/** The order in which tunables are changed, so that they go together in between if they do in the end. */
final class SettingsOrder {
    private SettingsOrder() {}

    /**
     * Returns the changes in order. Of retry count and transaction timeout, the one goes first that makes room for the
     * other.
     *
     * @param now the settings that are changed
     */
    static List<SettingSpec> of(List<SettingSpec> changes, Settings now) {
        List<SettingSpec> ordered = new ArrayList<>();
        SettingSpec retries = null;
        SettingSpec limit = null;
        for (SettingSpec each : changes) {
            switch (each.tunable()) {
                case RETRY_COUNT -> retries = each;
                case TRANSACTION_TIMEOUT -> limit = each;
                default -> ordered.add(each);
            }
        }
        boolean retriesFirst = retries != null && retries.value() < now.get(Tunable.TRANSACTION_TIMEOUT);
        for (SettingSpec each : retriesFirst ? asList(retries, limit) : asList(limit, retries)) {
            ordered.add(each);
        }
        return ordered;
    }

    private static List<SettingSpec> asList(@Nullable SettingSpec one, @Nullable SettingSpec other) {
        List<SettingSpec> both = new ArrayList<>();
        if (one != null) {
            both.add(one);
        }
        if (other != null) {
            both.add(other);
        }
        return both;
    }

    /**
     * Returns the settings with everything changed.
     *
     * @throws org.railyard.base.ErrnoException ERANGE if it does not go together
     */
    static Settings apply(List<SettingSpec> changes, @Nullable CompatProfile profile, Settings now) {
        Settings result = profile == null ? now : now.withProfile(profile);
        for (SettingSpec each : of(changes, result)) {
            result = result.with(each.tunable(), each.value());
        }
        return result;
    }
}
