/**
 * Scenarios: what a run is to be, read from YAML and checked before anything runs. Uses {@code org.railyard.lab.net}
 * for settings.
 */
@NullMarked
package org.railyard.lab.scenario;

import org.jspecify.annotations.NullMarked;
