// SPDX-License-Identifier: Apache-2.0

/// Keys that never leave a chip of Apple's devices.
///
/// There is no such chip here, and nothing that could stand in for it: code that names one of its keys does not
/// compile. `isAvailable` can be asked, as on a simulator.
public enum SecureEnclave {
    /// False.
    public static var isAvailable: Bool { false }

    /// Keys on the curve P-256.
    @available(*, unavailable, message: "there is no secure enclave here: use P256 and keep the key in the keychain")
    public enum P256 {}

    /// Keys of ML-KEM-768.
    @available(
        *,
        unavailable,
        message: "there is no secure enclave here: use MLKEM768 and keep the key in the keychain"
    )
    public enum MLKEM768 {}
}
