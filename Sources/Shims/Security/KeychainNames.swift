// SPDX-License-Identifier: Apache-2.0

@_exported public import FoundationCompatibility

// Names of keys and values in the dictionaries of the keychain, with the text that they have on Apple's platforms.

// MARK: Class

/// The class of an item.
public var kSecClass: CFString { "class" as CFString }
/// A password of the app's own.
public var kSecClassGenericPassword: CFString { "genp" as CFString }
/// A password of a server.
public var kSecClassInternetPassword: CFString { "inet" as CFString }
/// A cryptographic key.
public var kSecClassKey: CFString { "keys" as CFString }
/// A certificate, which is not kept: calls answer `errSecUnimplemented`.
public var kSecClassCertificate: CFString { "cert" as CFString }
/// A key with its certificate, which is not kept: calls answer `errSecUnimplemented`.
public var kSecClassIdentity: CFString { "idnt" as CFString }

// MARK: Attribute

/// The account; part of the identity of a password.
public var kSecAttrAccount: CFString { "acct" as CFString }
/// The service; part of the identity of a password of the app's own.
public var kSecAttrService: CFString { "svce" as CFString }
/// The access group: all of an app's extensions read every group, another app none.
public var kSecAttrAccessGroup: CFString { "agrp" as CFString }
/// The condition under which the item can be read: stored, and here always met.
public var kSecAttrAccessible: CFString { "pdmn" as CFString }
/// The proof that the user must give before the item is read: not kept, as nobody can be asked.
public var kSecAttrAccessControl: CFString { "accc" as CFString }
/// The wish to have the item synchronised between devices: stored, and nothing is synchronised.
public var kSecAttrSynchronizable: CFString { "sync" as CFString }
/// Matches items whatever their synchronisation.
public var kSecAttrSynchronizableAny: CFString { "syna" as CFString }
/// The date on which the item was added.
public var kSecAttrCreationDate: CFString { "cdat" as CFString }
/// The date of the last change of the item.
public var kSecAttrModificationDate: CFString { "mdat" as CFString }
/// A word for the kind of item.
public var kSecAttrDescription: CFString { "desc" as CFString }
/// A remark.
public var kSecAttrComment: CFString { "icmt" as CFString }
/// The maker of the item.
public var kSecAttrCreator: CFString { "crtr" as CFString }
/// The app's own type of the item; for keys the kind of key.
public var kSecAttrType: CFString { "type" as CFString }
/// The name of the item as a user would see it.
public var kSecAttrLabel: CFString { "labl" as CFString }
/// The mark of an item that is hidden from the user.
public var kSecAttrIsInvisible: CFString { "invi" as CFString }
/// The mark of an item that has no secret.
public var kSecAttrIsNegative: CFString { "nega" as CFString }
/// The app's own attribute.
public var kSecAttrGeneric: CFString { "gena" as CFString }
/// The domain; part of the identity of a password of a server.
public var kSecAttrSecurityDomain: CFString { "sdmn" as CFString }
/// The server; part of the identity of a password of a server.
public var kSecAttrServer: CFString { "srvr" as CFString }
/// The protocol; part of the identity of a password of a server.
public var kSecAttrProtocol: CFString { "ptcl" as CFString }
/// The authentication; part of the identity of a password of a server.
public var kSecAttrAuthenticationType: CFString { "atyp" as CFString }
/// The port; part of the identity of a password of a server.
public var kSecAttrPort: CFString { "port" as CFString }
/// The path; part of the identity of a password of a server.
public var kSecAttrPath: CFString { "path" as CFString }
/// The class of a key (public, private or shared); part of its identity.
public var kSecAttrKeyClass: CFString { "kcls" as CFString }
/// A key's name for the app; part of its identity.
public var kSecAttrApplicationLabel: CFString { "klbl" as CFString }
/// A key's name for the app; part of its identity.
public var kSecAttrApplicationTag: CFString { "atag" as CFString }
/// The kind of key; part of its identity.
public var kSecAttrKeyType: CFString { "type" as CFString }
/// The size of a key; part of its identity.
public var kSecAttrKeySizeInBits: CFString { "bsiz" as CFString }
/// The effective size of a key; part of its identity.
public var kSecAttrEffectiveKeySize: CFString { "esiz" as CFString }
/// The mark of a key that is to be kept.
public var kSecAttrIsPermanent: CFString { "perm" as CFString }
/// A public key.
public var kSecAttrKeyClassPublic: CFString { "0" as CFString }
/// A private key.
public var kSecAttrKeyClassPrivate: CFString { "1" as CFString }
/// A shared key.
public var kSecAttrKeyClassSymmetric: CFString { "2" as CFString }
/// RSA.
public var kSecAttrKeyTypeRSA: CFString { "42" as CFString }
/// Elliptic curves.
public var kSecAttrKeyTypeEC: CFString { "73" as CFString }
/// Elliptic curves.
public var kSecAttrKeyTypeECSECPrimeRandom: CFString { "73" as CFString }
/// HTTPS.
public var kSecAttrProtocolHTTPS: CFString { "htps" as CFString }
/// HTTP.
public var kSecAttrProtocolHTTP: CFString { "http" as CFString }
/// Access while the device is unlocked: here always.
public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" as CFString }
/// Access after the first unlock: here always.
public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" as CFString }
/// Access while the device is unlocked, on this device: here always.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" as CFString }
/// Access after the first unlock, on this device: here always.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" as CFString }
/// Access with a passcode: here always.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" as CFString }
/// Access at any time.
public var kSecAttrAccessibleAlways: CFString { "dk" as CFString }
/// Access at any time, on this device.
public var kSecAttrAccessibleAlwaysThisDeviceOnly: CFString { "dku" as CFString }

// MARK: Value and result

/// The secret of an item.
public var kSecValueData: CFString { "v_Data" as CFString }
/// A key object, which there is none of: calls answer `errSecUnimplemented`.
public var kSecValueRef: CFString { "v_Ref" as CFString }
/// Names an item for good.
public var kSecValuePersistentRef: CFString { "v_PersistentRef" as CFString }
/// Asks for the secret.
public var kSecReturnData: CFString { "r_Data" as CFString }
/// Asks for the attributes.
public var kSecReturnAttributes: CFString { "r_Attributes" as CFString }
/// Asks for a key object, which there is none of: calls answer `errSecUnimplemented`.
public var kSecReturnRef: CFString { "r_Ref" as CFString }
/// Asks for what names the item for good.
public var kSecReturnPersistentRef: CFString { "r_PersistentRef" as CFString }
/// The largest number of items to find.
public var kSecMatchLimit: CFString { "m_Limit" as CFString }
/// One item, the default.
public var kSecMatchLimitOne: CFString { "m_LimitOne" as CFString }
/// All items.
public var kSecMatchLimitAll: CFString { "m_LimitAll" as CFString }
/// Without effect: text matches by its characters.
public var kSecMatchCaseInsensitive: CFString { "m_CaseInsensitive" as CFString }
/// Without effect: there is one keychain.
public var kSecUseDataProtectionKeychain: CFString { "nleg" as CFString }
/// Without effect: nobody is asked.
public var kSecUseAuthenticationUI: CFString { "u_AuthUI" as CFString }
/// Without effect: nobody is asked.
public var kSecUseAuthenticationUISkip: CFString { "u_AuthUIS" as CFString }
/// Without effect: nobody is asked.
public var kSecUseAuthenticationUIFail: CFString { "u_AuthUIF" as CFString }
/// Without effect: nobody is asked.
public var kSecUseAuthenticationContext: CFString { "u_AuthCtx" as CFString }
/// Without effect: nobody is asked.
public var kSecUseOperationPrompt: CFString { "u_OpPrompt" as CFString }
