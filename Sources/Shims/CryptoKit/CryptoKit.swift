// SPDX-License-Identifier: Apache-2.0

// swift-crypto is Apple's implementation of CryptoKit's interface for other systems; all of it stands here as it is.
@_exported public import Crypto
